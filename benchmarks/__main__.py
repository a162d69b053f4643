"""`python -m benchmarks` is the command of benchmarks; `make bench` runs it."""

from benchmarks.command import app

if __name__ == "__main__":
    app(prog_name="python -m benchmarks")

"""`python -m benchmarks` is the command of benchmarks; `make bench` runs it."""

from benchmarks.command import bench

if __name__ == "__main__":
    bench(prog_name="python -m benchmarks")

"""The `croupier` command: play, replay, prove and ask the coach, in a terminal or a script."""

__all__ = ["main"]


def main() -> None:
    """Run the command on the arguments of this process, and end the process with its exit code."""
    from croupier.cli.app import app  # here: the doors of a package import nothing heavy

    app(prog_name="croupier")

"""Commands that import their module when they are called, so that the program starts fast."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from triomino.errors import TriominoError, nearest


class Group(TyperGroup):
    """Commands by name; an unknown one is answered with the nearest known name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first argument names."""
        if args[0] not in self.commands:
            known = nearest(args[0], self.commands)
            raise TriominoError(f"no such command {args[0]!r}; {known}")
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help in boxes; without markup, write it to the formatter."""
        if self.rich_markup_mode is None:
            super().format_help(ctx, formatter)
        else:
            import_module("triomino.cli.group_help").print_group_help(self, ctx)


def add_command(group: typer.Typer, name: str, text: str, module: str) -> None:
    """Add the function *name* of *module* to a group, where it is listed with *text*.

    The module is imported when the command is called or its own help is asked for.
    """

    class Lazy(TyperCommand):
        def make_context(self, *args: Any, **extra: Any) -> Any:
            # Whoever made the context invokes the command it belongs to, which is the real one.
            function = getattr(import_module(module), name)
            real = typer.Typer(rich_markup_mode=self.rich_markup_mode, add_completion=False)
            real.command(name, help=_help(function.__doc__))(function)
            return typer.main.get_command(real).make_context(*args, **extra)

    @group.command(name, help=text, cls=Lazy)
    def never_called() -> None:
        raise AssertionError(f"{module} was not imported")


def _help(doc: str) -> str:
    """A docstring as help text: paragraphs joined to one line each, examples as they are."""
    paragraphs = inspect.cleandoc(doc).split("\n\n")
    return "\n\n".join(
        text if text.startswith("    ") else " ".join(text.split()) for text in paragraphs
    )

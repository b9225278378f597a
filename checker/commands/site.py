"""`malachi-model site`: the specification as a site that needs no network."""

from pathlib import Path

import click

from checker.commands.exits import CommandError, Exit
from checker.commands.folders import own
from checker.commands.output import counted, progress_line, say
from checker.pictures.rendering import NoRendererError
from checker.ties.gathering import NoCheckoutError


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def site(folder: Path) -> Exit:
    """Write the site into FOLDER, empty or an earlier site: open index.html there.

    About half a minute.

    Chapters with what each clause is tied to, counterexamples to step through, a search over
    clauses and names, the traceability table, scopes, findings and known deviations.
    """
    # Only here: no other command needs templates.
    from checker.site.building import build  # noqa: PLC0415

    own(folder, "site")
    try:
        with progress_line() as show:
            count = build(folder, show=show)
    except (NoCheckoutError, NoRendererError) as error:
        raise CommandError(str(error).replace("spec --trace", "site")) from None
    say(f"{counted(count, 'page')} in {folder}")
    return Exit.OK

"""What a path knows of sums of its unknowns without asking the solver."""

from dataclasses import dataclass, field

from checker.prove.integers import Atom, Parts


@dataclass(slots=True)
class Facts:
    """The least and the largest that each sum can be, and what it is not."""

    least: dict[Parts, int] = field(default_factory=dict)
    most: dict[Parts, int] = field(default_factory=dict)
    other: set[tuple[Parts, int]] = field(default_factory=set)

    def verdict(self, atom: Atom) -> bool | None:
        """Whether a condition holds; none where these facts do not say."""
        least, most = self.least.get(atom.parts), self.most.get(atom.parts)
        if atom.kind == "<=":
            if most is not None and most <= atom.bound:
                return atom.holds
            if least is not None and least > atom.bound:
                return not atom.holds
            return None
        if least is not None and least == most == atom.bound:
            return atom.holds
        if (
            (least is not None and least > atom.bound)
            or (most is not None and most < atom.bound)
            or (atom.parts, atom.bound) in self.other
        ):
            return not atom.holds
        return None

    def learn(self, atom: Atom) -> None:
        """Hold from now on that a condition holds."""
        parts, bound = atom.parts, atom.bound
        if atom.kind == "==" and not atom.holds:
            self.other.add((parts, bound))
            return
        if atom.kind == "==" or atom.holds:
            self.most[parts] = min(bound, self.most.get(parts, bound))
        if atom.kind == "==" or not atom.holds:
            least = bound if atom.kind == "==" else bound + 1
            self.least[parts] = max(least, self.least.get(parts, least))

    def copy(self) -> "Facts":
        """The same facts, to learn more without telling the first."""
        return Facts(dict(self.least), dict(self.most), set(self.other))

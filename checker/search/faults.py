"""What goes wrong that is no verdict: a model that breaks its contract, an engine that errs."""


class ModelError(Exception):
    """The model breaks the contract of `checker.search.model`; the text names the step or law."""


class CheckpointError(Exception):
    """A checkpoint cannot be gone on from; the text says why and what to do."""


class InternalError(Exception):
    """The search contradicts itself: its result is not to be believed."""

"""FenceCore for other checkers: one small protocol, written once for each of them.

One range of a log broker: frontends append records to segments of a store, a control plane lists
the segments, and a frontend seals a segment by fencing it at the store. Messages form a bag, come
in any order and may be lost. Every enabled instance of an action is one transition; whoever
searches it exactly has to find the same states and the same transitions.
"""

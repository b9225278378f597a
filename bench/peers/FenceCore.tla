----------------------------- MODULE FenceCore -----------------------------
(* FenceCore for TLC: deadlock check off, no symmetry.                       *)
(*                                                                           *)
(*   java -cp tla2tools.jar tlc2.TLC -deadlock -workers 2 FenceCore          *)
(*                                                                           *)
(* "Distinct states" is the number of states; "states generated" counts the  *)
(* initial state too, so the number of transitions is one less. The depth    *)
(* that TLC prints counts the initial state as 1.                            *)
(*                                                                           *)
(* Bags are kept as counts, and the answers to appends by segment and place  *)
(* in it, so that equal bags are equal values. A disjunction in a guard is   *)
(* written (...) = TRUE: else TLC would take it for two actions and count a  *)
(* successor twice.                                                          *)
EXTENDS Naturals, Sequences

CONSTANTS
  F,      \* frontends
  S,      \* segments at most
  B,      \* produce batches of each frontend, of one record each
  DEFECT  \* 1: seal where the frontend believes the end is

VARIABLES
  plane,     \* what the control plane lists: a sequence of segments
  appended,  \* records in the store, by segment
  latched,   \* whether the store refuses appends, by segment
  view,      \* the plane as a frontend last saw it
  next,      \* the next offset that a frontend believes in
  cached,    \* the segment that a frontend appends to; 0: none
  owed,      \* the segment that a frontend has to seal; 0: none
  sent,      \* appends that a frontend sent
  requests,  \* AppReq, by frontend and segment: how many
  refusals,  \* AppSealed, likewise
  fences,    \* FenceReq, by frontend and segment: whether
  fenced,    \* FenceAns, likewise
  owners,    \* AppOk, by segment and place in it: whose; 0: none under way
  acked      \* pairs (segment, place in it) acknowledged to clients

fronts == <<view, next, cached, owed, sent>>
requested == <<requests, fences>>
answered == <<refusals, fenced, owners>>
vars == <<plane, appended, latched, fronts, requested, answered, acked>>

Front == 1..F
Segment == 1..S
Place == 0..(F * B - 1)

Max(a, b) == IF a > b THEN a ELSE b
End(s) == plane[s].start + plane[s].length
StoreEnd(s) == plane[s].start + appended[s]
IsActive(p) == p # <<>> /\ ~p[Len(p)].sealed  \* only the last can be

Init ==
  /\ plane = <<>>
  /\ appended = [s \in Segment |-> 0]
  /\ latched = [s \in Segment |-> FALSE]
  /\ view = [f \in Front |-> <<>>]
  /\ next = [f \in Front |-> 0]
  /\ cached = [f \in Front |-> 0]
  /\ owed = [f \in Front |-> 0]
  /\ sent = [f \in Front |-> 0]
  /\ requests = [f \in Front |-> [s \in Segment |-> 0]]
  /\ refusals = [f \in Front |-> [s \in Segment |-> 0]]
  /\ fences = [f \in Front |-> [s \in Segment |-> FALSE]]
  /\ fenced = [f \in Front |-> [s \in Segment |-> FALSE]]
  /\ owners = [s \in Segment |-> [p \in Place |-> 0]]
  /\ acked = {}

PlanSend(f) ==
  /\ cached[f] # 0
  /\ sent[f] < B
  /\ requests' = [requests EXCEPT ![f][cached[f]] = @ + 1]
  /\ next' = [next EXCEPT ![f] = @ + 1]
  /\ sent' = [sent EXCEPT ![f] = @ + 1]
  /\ UNCHANGED <<plane, appended, latched, view, cached, owed, fences, answered, acked>>

PlanAdopt(f) ==
  /\ cached[f] = 0
  /\ sent[f] < B
  /\ IsActive(view[f])
  /\ cached' = [cached EXCEPT ![f] = Len(view[f])]
  /\ next' = [next EXCEPT ![f] = Max(@, view[f][Len(view[f])].start)]
  /\ UNCHANGED <<plane, appended, latched, view, owed, sent, requested, answered, acked>>

MayRegister(f) ==
  /\ Len(plane) < S
  /\ ~IsActive(plane)
  /\ next[f] >= (IF plane = <<>> THEN 0 ELSE End(Len(plane)))

PlanRegister(f) ==
  /\ cached[f] = 0
  /\ sent[f] < B
  /\ ~IsActive(view[f])
  /\ IF MayRegister(f)
       THEN /\ plane' = Append(plane, [sealed |-> FALSE, start |-> next[f], length |-> 0])
            /\ cached' = [cached EXCEPT ![f] = Len(plane) + 1]
       ELSE UNCHANGED <<plane, cached>>
  /\ view' = [view EXCEPT ![f] = plane']
  /\ UNCHANGED <<appended, latched, next, owed, sent, requested, answered, acked>>

RequestRoll(f) ==
  /\ cached[f] # 0
  /\ owed[f] = 0
  /\ owed' = [owed EXCEPT ![f] = cached[f]]
  /\ UNCHANGED <<plane, appended, latched, view, next, cached, sent, requested, answered, acked>>

SendFence(f) ==
  /\ owed[f] # 0
  /\ ~fences[f][owed[f]]
  /\ ~fenced[f][owed[f]]
  /\ fences' = [fences EXCEPT ![f][owed[f]] = TRUE]
  /\ UNCHANGED <<plane, appended, latched, fronts, requests, answered, acked>>

Refresh(f) ==
  LET closed == cached[f] # 0 /\ plane[cached[f]].sealed IN
  /\ (view[f] # plane \/ closed) = TRUE
  /\ view' = [view EXCEPT ![f] = plane]
  /\ IF closed
       THEN /\ next' = [next EXCEPT ![f] = End(cached[f])]
            /\ cached' = [cached EXCEPT ![f] = 0]
       ELSE UNCHANGED <<next, cached>>
  /\ UNCHANGED <<plane, appended, latched, owed, sent, requested, answered, acked>>

DeliverAppend(f, s) ==
  /\ requests[f][s] > 0
  /\ requests' = [requests EXCEPT ![f][s] = @ - 1]
  /\ IF latched[s]
       THEN /\ refusals' = [refusals EXCEPT ![f][s] = @ + 1]
            /\ UNCHANGED <<appended, owners>>
       ELSE /\ owners' = [owners EXCEPT ![s][appended[s]] = f]
            /\ appended' = [appended EXCEPT ![s] = @ + 1]
            /\ UNCHANGED refusals
  /\ UNCHANGED <<plane, latched, fronts, fences, fenced, acked>>

DeliverAppOk(s, p) ==
  /\ owners[s][p] # 0
  /\ next' = [next EXCEPT ![owners[s][p]] = Max(@, plane[s].start + p + 1)]
  /\ owners' = [owners EXCEPT ![s][p] = 0]
  /\ acked' = acked \union {<<s, p>>}
  /\ UNCHANGED <<plane, appended, latched, view, cached, owed, sent, requested, refusals, fenced>>

DeliverAppSealed(f, s) ==
  /\ refusals[f][s] > 0
  /\ refusals' = [refusals EXCEPT ![f][s] = @ - 1]
  /\ IF cached[f] = s
       THEN /\ cached' = [cached EXCEPT ![f] = 0]
            /\ next' = [next EXCEPT ![f] = StoreEnd(s)]
       ELSE UNCHANGED <<cached, next>>
  /\ owed' = IF owed[f] = s THEN [owed EXCEPT ![f] = 0] ELSE owed
  /\ UNCHANGED <<plane, appended, latched, view, sent, requested, fenced, owners, acked>>

DeliverFence(f, s) ==
  /\ fences[f][s]
  /\ fences' = [fences EXCEPT ![f][s] = FALSE]
  /\ latched' = [latched EXCEPT ![s] = TRUE]
  /\ fenced' = [fenced EXCEPT ![f][s] = TRUE]
  /\ UNCHANGED <<plane, appended, fronts, requests, refusals, owners, acked>>

DeliverFenceAns(f, s) ==
  /\ fenced[f][s]
  /\ fenced' = [fenced EXCEPT ![f][s] = FALSE]
  /\ IF plane[s].sealed
       THEN UNCHANGED <<plane, next, cached>>
       ELSE LET end == IF DEFECT = 1 THEN next[f] ELSE StoreEnd(s) IN
            /\ plane' = [plane EXCEPT ![s].sealed = TRUE, ![s].length = end - plane[s].start]
            /\ next' = [next EXCEPT ![f] = end]
            /\ cached' = [cached EXCEPT ![f] = 0]
  /\ owed' = IF owed[f] = s THEN [owed EXCEPT ![f] = 0] ELSE owed
  /\ view' = [view EXCEPT ![f] = plane']
  /\ UNCHANGED <<appended, latched, sent, requested, refusals, owners, acked>>

LoseAppReq(f, s) ==
  /\ requests[f][s] > 0
  /\ requests' = [requests EXCEPT ![f][s] = @ - 1]
  /\ UNCHANGED <<plane, appended, latched, fronts, fences, answered, acked>>

LoseAppSealed(f, s) ==
  /\ refusals[f][s] > 0
  /\ refusals' = [refusals EXCEPT ![f][s] = @ - 1]
  /\ UNCHANGED <<plane, appended, latched, fronts, requested, fenced, owners, acked>>

LoseFenceReq(f, s) ==
  /\ fences[f][s]
  /\ fences' = [fences EXCEPT ![f][s] = FALSE]
  /\ UNCHANGED <<plane, appended, latched, fronts, requests, answered, acked>>

LoseFenceAns(f, s) ==
  /\ fenced[f][s]
  /\ fenced' = [fenced EXCEPT ![f][s] = FALSE]
  /\ UNCHANGED <<plane, appended, latched, fronts, requested, refusals, owners, acked>>

LoseAppOk(s, p) ==
  /\ owners[s][p] # 0
  /\ owners' = [owners EXCEPT ![s][p] = 0]
  /\ UNCHANGED <<plane, appended, latched, fronts, requested, refusals, fenced, acked>>

Next ==
  \/ \E f \in Front :
       \/ PlanSend(f) \/ PlanAdopt(f) \/ PlanRegister(f)
       \/ RequestRoll(f) \/ SendFence(f) \/ Refresh(f)
  \/ \E f \in Front, s \in Segment :
       \/ DeliverAppend(f, s) \/ DeliverAppSealed(f, s)
       \/ DeliverFence(f, s) \/ DeliverFenceAns(f, s)
       \/ LoseAppReq(f, s) \/ LoseAppSealed(f, s)
       \/ LoseFenceReq(f, s) \/ LoseFenceAns(f, s)
  \/ \E s \in Segment, p \in Place : DeliverAppOk(s, p) \/ LoseAppOk(s, p)

Spec == Init /\ [][Next]_vars

AckBelowEnd ==
  \A a \in acked : plane[a[1]].sealed => a[2] < plane[a[1]].length

Tile ==
  \A s \in 1..Len(plane) :
    IF s = 1
      THEN plane[1].start = 0
      ELSE plane[s - 1].sealed /\ plane[s].start = End(s - 1)

OneActive ==
  \A s \in 1..Len(plane) : \A t \in 1..Len(plane) :
    (s # t /\ ~plane[s].sealed) => plane[t].sealed

SealedLen ==
  \A s \in 1..Len(plane) :
    plane[s].sealed => latched[s] /\ plane[s].length = appended[s]
=============================================================================

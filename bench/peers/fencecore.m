-- FenceCore for Rumur.
--
--   rumur --deadlock-detection off --output verifier.c fencecore.m
--   cc -O3 -mcx16 -o verifier verifier.c -lpthread && ./verifier
--
-- Each rule of a ruleset is one instance of an action; the verifier counts those it fires, also
-- where they leave the state as it was. Bags are kept as counts and the answers to appends by
-- segment and place in it, so that equal bags are equal values. Parts of the plane behind the last
-- segment listed are kept at their first value.

const
  F: 2; -- frontends
  S: 2; -- segments at most
  B: 1; -- produce batches of each frontend, of one record each
  DEFECT: 0; -- 1: seal where the frontend believes the end is, not where the store says
  N: F * B; -- appends that can ever be sent

type
  front: 1 .. F;
  segment: 1 .. S;
  some_segment: 0 .. S; -- 0: none
  offset: 0 .. N;
  place: 0 .. N - 1;
  listed: record
    sealed: boolean;
    start: offset;
    length: offset;
  end;
  listing: record
    count: 0 .. S;
    segments: array [segment] of listed;
  end;
  frontend: record
    view: listing;
    next: offset;
    cached: some_segment;
    owed: some_segment;
    sent: 0 .. B;
  end;

var
  plane: listing;
  appended: array [segment] of offset;
  latched: array [segment] of boolean;
  fronts: array [front] of frontend;
  requests: array [front] of array [segment] of 0 .. B; -- AppReq
  refusals: array [front] of array [segment] of 0 .. B; -- AppSealed
  fences: array [front] of array [segment] of boolean; -- FenceReq
  fenced: array [front] of array [segment] of boolean; -- FenceAns
  owners: array [segment] of array [place] of 0 .. F; -- AppOk: whose; 0: none under way
  acked: array [segment] of array [place] of boolean;

-- Only the last segment can be active.
function is_active(var p: listing): boolean;
begin
  return p.count > 0 & !p.segments[p.count].sealed;
end;

function sealed_end(s: segment): offset;
begin
  return plane.segments[s].start + plane.segments[s].length;
end;

function store_end(s: segment): offset;
begin
  return plane.segments[s].start + appended[s];
end;

startstate begin
  plane.count := 0;
  for s: segment do
    plane.segments[s].sealed := false;
    plane.segments[s].start := 0;
    plane.segments[s].length := 0;
    appended[s] := 0;
    latched[s] := false;
    for p: place do
      owners[s][p] := 0;
      acked[s][p] := false;
    end;
  end;
  for f: front do
    fronts[f].view := plane;
    fronts[f].next := 0;
    fronts[f].cached := 0;
    fronts[f].owed := 0;
    fronts[f].sent := 0;
    for s: segment do
      requests[f][s] := 0;
      refusals[f][s] := 0;
      fences[f][s] := false;
      fenced[f][s] := false;
    end;
  end;
end;

ruleset f: front do alias me: fronts[f] do

  rule "PlanSend" me.cached != 0 & me.sent < B ==> begin
    requests[f][me.cached] := requests[f][me.cached] + 1;
    me.next := me.next + 1;
    me.sent := me.sent + 1;
  end;

  rule "PlanAdopt" me.cached = 0 & me.sent < B & is_active(me.view) ==> begin
    me.cached := me.view.count;
    if me.next < me.view.segments[me.cached].start then
      me.next := me.view.segments[me.cached].start;
    end;
  end;

  rule "PlanRegister" me.cached = 0 & me.sent < B & !is_active(me.view) ==> begin
    if plane.count < S & !is_active(plane)
       & (plane.count = 0 | me.next >= sealed_end(plane.count)) then
      plane.count := plane.count + 1;
      plane.segments[plane.count].start := me.next;
      me.cached := plane.count;
    end;
    me.view := plane;
  end;

  rule "RequestRoll" me.cached != 0 & me.owed = 0 ==> begin
    me.owed := me.cached;
  end;

  rule "SendFence" me.owed != 0 & !fences[f][me.owed] & !fenced[f][me.owed] ==> begin
    fences[f][me.owed] := true;
  end;

  rule "Refresh"
    me.view != plane | (me.cached != 0 & plane.segments[me.cached].sealed)
  ==> begin
    me.view := plane;
    if me.cached != 0 & plane.segments[me.cached].sealed then
      me.next := sealed_end(me.cached);
      me.cached := 0;
    end;
  end;

end; end;

ruleset f: front; s: segment do alias me: fronts[f] do

  rule "DeliverAppend" requests[f][s] > 0 ==> begin
    requests[f][s] := requests[f][s] - 1;
    if latched[s] then
      refusals[f][s] := refusals[f][s] + 1;
    else
      owners[s][appended[s]] := f;
      appended[s] := appended[s] + 1;
    end;
  end;

  rule "DeliverAppSealed" refusals[f][s] > 0 ==> begin
    refusals[f][s] := refusals[f][s] - 1;
    if me.cached = s then
      me.cached := 0;
      me.next := store_end(s);
    end;
    if me.owed = s then me.owed := 0; end;
  end;

  rule "DeliverFence" fences[f][s] ==> begin
    fences[f][s] := false;
    latched[s] := true;
    fenced[f][s] := true;
  end;

  rule "DeliverFenceAns" fenced[f][s] ==> begin
    fenced[f][s] := false;
    if !plane.segments[s].sealed then
      if DEFECT = 0 then me.next := store_end(s); end;
      plane.segments[s].sealed := true;
      plane.segments[s].length := me.next - plane.segments[s].start;
      me.cached := 0;
    end;
    if me.owed = s then me.owed := 0; end;
    me.view := plane;
  end;

  rule "Lose an AppReq" requests[f][s] > 0 ==> begin
    requests[f][s] := requests[f][s] - 1;
  end;

  rule "Lose an AppSealed" refusals[f][s] > 0 ==> begin
    refusals[f][s] := refusals[f][s] - 1;
  end;

  rule "Lose a FenceReq" fences[f][s] ==> begin
    fences[f][s] := false;
  end;

  rule "Lose a FenceAns" fenced[f][s] ==> begin
    fenced[f][s] := false;
  end;

end; end;

ruleset s: segment; p: place do

  rule "DeliverAppOk" owners[s][p] != 0 ==> begin
    if fronts[owners[s][p]].next < plane.segments[s].start + p + 1 then
      fronts[owners[s][p]].next := plane.segments[s].start + p + 1;
    end;
    owners[s][p] := 0;
    acked[s][p] := true;
  end;

  rule "Lose an AppOk" owners[s][p] != 0 ==> begin
    owners[s][p] := 0;
  end;

end;

invariant "AckBelowEnd"
  forall s: segment do forall p: place do
    (acked[s][p] & plane.segments[s].sealed) -> p < plane.segments[s].length
  end end;

invariant "Tile"
  forall s: segment do
    s <= plane.count ->
      (s = 1 -> plane.segments[s].start = 0)
      & (s > 1 -> plane.segments[s - 1].sealed & plane.segments[s].start = sealed_end(s - 1))
  end;

invariant "OneActive"
  forall s: segment do forall t: segment do
    (s < t & t <= plane.count & !plane.segments[s].sealed) -> plane.segments[t].sealed
  end end;

invariant "SealedLen"
  forall s: segment do
    plane.segments[s].sealed -> latched[s] & plane.segments[s].length = appended[s]
  end;

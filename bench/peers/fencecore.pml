/* FenceCore for SPIN: safety, exact search.
 *
 *   spin -a -DF=2 -DS=2 -DB=2 -DDEFECT=0 fencecore.pml
 *   cc -O3 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -m100000 -w24
 *
 * One process in one loop; each option is one instance of an action, in a d_step, and comes back
 * to the head of the loop. So no control state is added, and what pan calls "states, stored" is
 * the number of distinct values of the variables below. What pan calls "transitions" counts the
 * stored states too, and the initial one is stored without a transition: it is one too high.
 *
 * SPIN copies, hashes and compares whole state vectors, so they are kept short: bit fields, and
 * one word where an index is needed. Unrolled for at most 3 frontends and 3 segments.
 */

#ifndef F
#define F 2
#endif
#ifndef S
#define S 2
#endif
#ifndef B
#define B 1
#endif
#ifndef DEFECT
#define DEFECT 0
#endif

#define N (F * B)			/* appends that can ever be sent */
#define W 3				/* bits of an offset, 0..N */

/* Widths of words have to be plain numbers: by segment, and by place in a segment. */
#if S == 1
#define S_BITS 1
#define S_TWICE 2
#define S_OFFSETS 3
#define PLANE_BITS 9
#elif S == 2
#define S_BITS 2
#define S_TWICE 4
#define S_OFFSETS 6
#define PLANE_BITS 16
#elif S == 3
#define S_BITS 3
#define S_TWICE 6
#define S_OFFSETS 9
#define PLANE_BITS 23
#endif
#if S * F * B <= 4
#define PLACE_BITS 4
#define PLACE_TWICE 8
#elif S * F * B <= 6
#define PLACE_BITS 6
#define PLACE_TWICE 12
#elif S * F * B <= 8
#define PLACE_BITS 8
#define PLACE_TWICE 16
#elif S * F * B <= 12
#define PLACE_BITS 12
#define PLACE_TWICE 24
#endif
#if !defined(S_BITS) || !defined(PLACE_BITS) || F > 3 || F * B > 6 || B > 3
#error at most 3 frontends, segments and batches, 6 appends, and 12 places for them
#endif

#define OFFSET ((1 << W) - 1)

/* a plane of the control plane: how many segments, then sealed, start and length of each */
#define SEGMENT (2 * W + 1)
#define AT(s) (2 + ((s) - 1) * SEGMENT)
#define COUNT(p) ((p) & 3)
#define SEALED(p, s) (((p) >> AT(s)) & 1)
#define START(p, s) (((p) >> (AT(s) + 1)) & OFFSET)
#define LENGTH(p, s) (((p) >> (AT(s) + 1 + W)) & OFFSET)
#define END(p, s) (START(p, s) + LENGTH(p, s))
#define ACTIVE(p) (COUNT(p) && !SEALED(p, COUNT(p)))	/* only the last can be */

#define APPENDED(s) ((appended >> (((s) - 1) * W)) & OFFSET)
#define LATCHED(s) ((latches >> ((s) - 1)) & 1)
#define PLACE(s, i) (((s) - 1) * N + (i))
#define OWNER(s, i) ((owners >> (2 * PLACE(s, i))) & 3)

#define ONE(s) (1 << ((s) - 1))			/* in a word of bits */
#define UNIT(s) (1 << (2 * ((s) - 1)))		/* in a word of counts */
#define AMOUNT(word, s) (((word) >> (2 * ((s) - 1))) & 3)

#if F == 1
#define EACH_FRONT(X) X(1)
#elif F == 2
#define EACH_FRONT(X) X(1) X(2)
#else
#define EACH_FRONT(X) X(1) X(2) X(3)
#endif
#if S == 1
#define EACH_SEGMENT(X, f) X(f, 1)
#elif S == 2
#define EACH_SEGMENT(X, f) X(f, 1) X(f, 2)
#else
#define EACH_SEGMENT(X, f) X(f, 1) X(f, 2) X(f, 3)
#endif
#if F * B == 1
#define EACH_PLACE(X, s) X(s, 0)
#elif F * B == 2
#define EACH_PLACE(X, s) X(s, 0) X(s, 1)
#elif F * B == 3
#define EACH_PLACE(X, s) X(s, 0) X(s, 1) X(s, 2)
#elif F * B == 4
#define EACH_PLACE(X, s) X(s, 0) X(s, 1) X(s, 2) X(s, 3)
#elif F * B == 5
#define EACH_PLACE(X, s) X(s, 0) X(s, 1) X(s, 2) X(s, 3) X(s, 4)
#else
#define EACH_PLACE(X, s) X(s, 0) X(s, 1) X(s, 2) X(s, 3) X(s, 4) X(s, 5)
#endif

/* In an order in which C packs them into the fewest words of 32 bits. */
#define FRONT(f) \
	unsigned view##f : PLANE_BITS;		\
	unsigned next##f : 3;			\
	unsigned cached##f : 2;			\
	unsigned owed##f : 2;			\
	unsigned sent##f : 2;
#define FENCING(f) \
	unsigned fences##f : S_BITS;		\
	unsigned fenced##f : S_BITS;
#define APPENDING(f) \
	unsigned requests##f : S_TWICE;		\
	unsigned refusals##f : S_TWICE;

unsigned plane : PLANE_BITS;
unsigned appended : S_OFFSETS;		/* records in the store, by segment */
EACH_FRONT(FRONT)			/* a frontend */
unsigned owners : PLACE_TWICE;		/* whose AppOk is under way, by segment and place in it */
EACH_FRONT(FENCING)			/* FenceReq and FenceAns of a frontend, a bit a segment */
unsigned acked : PLACE_BITS;		/* by segment and place in it */
EACH_FRONT(APPENDING)			/* AppReq and AppSealed of a frontend, counts by segment */
unsigned latches : S_BITS;		/* the store refuses appends, by segment */

/* The invariants, asserted wherever something that they read was written. */

#define ACK_BELOW_END(s) \
	assert(!(COUNT(plane) >= s && SEALED(plane, s))		\
	       || ((acked >> PLACE(s, 0)) & ((1 << N) - 1)) >> LENGTH(plane, s) == 0);
#define FIRST assert(!COUNT(plane) || START(plane, 1) == 0);
#define BEHIND(s) \
	assert(COUNT(plane) < s || (SEALED(plane, s - 1) && START(plane, s) == END(plane, s - 1)));
#if S == 1
#define TILE FIRST
#elif S == 2
#define TILE FIRST BEHIND(2)
#else
#define TILE FIRST BEHIND(2) BEHIND(3)
#endif
#define IS_ACTIVE(s) (COUNT(plane) >= s && !SEALED(plane, s))
#if S == 1
#define ALL_OF(X) X(1)
#elif S == 2
#define ALL_OF(X) X(1) X(2)
#else
#define ALL_OF(X) X(1) X(2) X(3)
#endif
#if S == 1
#define ONE_ACTIVE skip;
#elif S == 2
#define ONE_ACTIVE assert(IS_ACTIVE(1) + IS_ACTIVE(2) <= 1);
#else
#define ONE_ACTIVE assert(IS_ACTIVE(1) + IS_ACTIVE(2) + IS_ACTIVE(3) <= 1);
#endif
#define SEALED_LENGTH(s) \
	assert(!(COUNT(plane) >= s && SEALED(plane, s))		\
	       || (LATCHED(s) && LENGTH(plane, s) == APPENDED(s)));

#define PLANE_HOLDS TILE ONE_ACTIVE ALL_OF(ACK_BELOW_END) ALL_OF(SEALED_LENGTH)

#define MAX(a, b) ((a) > (b) -> (a) : (b))

#define PLAN(f) \
	:: d_step { /* PlanSend */					\
		cached##f && sent##f < B ->				\
		requests##f = requests##f + UNIT(cached##f);		\
		next##f = next##f + 1; sent##f = sent##f + 1 }		\
	:: d_step { /* PlanAdopt */					\
		!cached##f && sent##f < B && ACTIVE(view##f) ->		\
		cached##f = COUNT(view##f);				\
		next##f = MAX(next##f, START(view##f, cached##f)) }	\
	:: d_step { /* PlanRegister */					\
		!cached##f && sent##f < B && !ACTIVE(view##f) ->	\
		if							\
		:: COUNT(plane) < S && !ACTIVE(plane)			\
		   && next##f >= (COUNT(plane) -> END(plane, COUNT(plane)) : 0) -> \
			plane = plane + 1;				\
			cached##f = COUNT(plane);			\
			plane = plane | (next##f << (AT(cached##f) + 1)); \
			PLANE_HOLDS					\
		:: else						\
		fi;							\
		view##f = plane }					\
	:: d_step { /* RequestRoll */					\
		cached##f && !owed##f -> owed##f = cached##f }		\
	:: d_step { /* SendFence */					\
		owed##f && !((fences##f | fenced##f) & ONE(owed##f)) ->	\
		fences##f = fences##f | ONE(owed##f) }			\
	:: d_step { /* Refresh */					\
		view##f != plane || (cached##f && SEALED(plane, cached##f)) -> \
		view##f = plane;					\
		if							\
		:: cached##f && SEALED(plane, cached##f) ->		\
			next##f = END(plane, cached##f); cached##f = 0	\
		:: else						\
		fi }

#if DEFECT
#define SEAL_AT(f, s) next##f
#else
#define SEAL_AT(f, s) START(plane, s) + APPENDED(s)
#endif
#define FORGET_ROLL(f, s) if :: owed##f == s -> owed##f = 0 :: else fi

#define DELIVER(f, s) \
	:: d_step { /* DeliverAppend */					\
		AMOUNT(requests##f, s) ->				\
		requests##f = requests##f - UNIT(s);			\
		if							\
		:: LATCHED(s) -> refusals##f = refusals##f + UNIT(s)	\
		:: else ->						\
			owners = owners | (f << (2 * PLACE(s, APPENDED(s)))); \
			appended = appended + (1 << ((s - 1) * W));	\
			ALL_OF(SEALED_LENGTH)				\
		fi }							\
	:: d_step { /* DeliverAppSealed */				\
		AMOUNT(refusals##f, s) ->				\
		refusals##f = refusals##f - UNIT(s);			\
		if							\
		:: cached##f == s ->					\
			cached##f = 0; next##f = START(plane, s) + APPENDED(s) \
		:: else						\
		fi;							\
		FORGET_ROLL(f, s) }					\
	:: d_step { /* DeliverFence */					\
		fences##f & ONE(s) ->					\
		fences##f = fences##f - ONE(s);				\
		fenced##f = fenced##f | ONE(s);				\
		latches = latches | ONE(s);				\
		ALL_OF(SEALED_LENGTH) }					\
	:: d_step { /* DeliverFenceAns */				\
		fenced##f & ONE(s) ->					\
		fenced##f = fenced##f - ONE(s);				\
		if							\
		:: !SEALED(plane, s) ->					\
			next##f = SEAL_AT(f, s);			\
			plane = plane | (1 << AT(s))			\
				| ((next##f - START(plane, s)) << (AT(s) + 1 + W)); \
			cached##f = 0;					\
			PLANE_HOLDS					\
		:: else						\
		fi;							\
		FORGET_ROLL(f, s);					\
		view##f = plane }					\
	/* Lose */							\
	:: d_step { AMOUNT(requests##f, s) -> requests##f = requests##f - UNIT(s) } \
	:: d_step { AMOUNT(refusals##f, s) -> refusals##f = refusals##f - UNIT(s) } \
	:: d_step { fences##f & ONE(s) -> fences##f = fences##f - ONE(s) } \
	:: d_step { fenced##f & ONE(s) -> fenced##f = fenced##f - ONE(s) }

#define RAISE(f, s, i) :: OWNER(s, i) == f -> next##f = MAX(next##f, START(plane, s) + i + 1);
#if F == 1
#define RAISE_OWNER(s, i) RAISE(1, s, i)
#elif F == 2
#define RAISE_OWNER(s, i) RAISE(1, s, i) RAISE(2, s, i)
#else
#define RAISE_OWNER(s, i) RAISE(1, s, i) RAISE(2, s, i) RAISE(3, s, i)
#endif

#define ACKNOWLEDGE(s, i) \
	:: d_step { /* DeliverAppOk */					\
		OWNER(s, i) ->						\
		if RAISE_OWNER(s, i) fi;				\
		owners = owners - (OWNER(s, i) << (2 * PLACE(s, i)));	\
		acked = acked | (1 << PLACE(s, i));			\
		ACK_BELOW_END(s) }					\
	:: d_step { /* Lose */						\
		OWNER(s, i) ->						\
		owners = owners - (OWNER(s, i) << (2 * PLACE(s, i))) }

#define EXPLORE_FRONT(f) PLAN(f) EACH_SEGMENT(DELIVER, f)
#define EXPLORE_PLACES(_, s) EACH_PLACE(ACKNOWLEDGE, s)

active proctype explore()
{
end:	do
	EACH_FRONT(EXPLORE_FRONT)
	EACH_SEGMENT(EXPLORE_PLACES, 0)
	od
}

"""People, the airline's faults, deaths and the clock in any order; after each step every invariant is judged."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from assistant.booking.sandbox.faults import Fault
from assistant.domain.commands import Kind, Settle
from tests.properties.machine_acts import cancelled_meanwhile, free_seat, post_webhooks
from tests.properties.machine_everything import REACHABLE, Pair
from tests.properties.machine_ground import REACHED, totals
from tests.properties.machine_life import Died, Life
from tests.properties.machine_people import SAYINGS, People, few

__all__ = ["REACHED", "Trips", "focus_on", "totals"]

A_PERSONS_TURN = 9  # of ten minutes: after so many the product has given up looking and asks
HELD_WITH_SEATS = "From New York JFK to Newark EWR on {day} December"
PAID_AT_ONCE = "From London Luton LTN to Geneva on {day} December"
MOVED = "From London LHR to Luton LTN on {day} December"
AT_ONCE = 3  # faults an example begins with
twist = st.integers(0, 7)
twists = st.tuples(*[twist] * AT_ONCE)
FOCUS: list[Pair] = list(REACHABLE)
WITH_SEARCH = ("search", "list_offers", "get_offer", "price", "seat_map")


def focus_on(pairs: list[Pair]) -> None:
    """The faults that `suffers` chooses from. Part of what makes a run: the same for the same seed."""
    FOCUS[:] = pairs


class Trips(People):
    """The world around people: time, deaths, webhooks, and an airline that goes wrong on the way."""

    @initialize(offer=st.integers(0, 4), text=st.sampled_from(SAYINGS[:5]), which=st.integers(0, 999), twists=twists)
    def begins(self, offer: int, text: str, which: int, twists: tuple[int, ...]) -> None:
        """Somebody arrives, and some things go wrong before anything else happens."""
        self.arrives(offer, text)
        for n, turned in enumerate(twists):
            self.suffers(which + n, turned, offer or 1, turned)

    @precondition(lambda self: self.given)
    @rule(n=few)
    def delivers_again(self, n: int) -> None:
        """One of the last commands comes once more, with its key: the same answer, and nothing happens."""
        command = self.given[-1 - n % len(self.given[-4:])]
        effects, commands = self.life.world.effects(), len(self.sight.books.commands)
        self._give(command)
        if command.command_id in {c.command_id for c in self.sight.books.commands} and self._was_known(command, commands):
            assert self.life.world.effects() == effects

    @rule(commits=st.integers(0, 14), ticks=st.integers(1, 400))
    def will_die(self, commits: int, ticks: int) -> None:
        """In the middle of whatever comes next: right after a durable write, or after some turns of the loop."""
        self.life.doom(commits=commits, ticks=0 if commits else ticks)

    @rule()
    def restarts(self) -> None:
        try:
            self.life.end()
        except Died:
            self._next_life()
            return
        self.life = Life(self.life.data_dir)
        self._judge("restart")

    @rule(how=st.sampled_from(("in order", "reversed", "twice")))
    def hears(self, how: str) -> None:
        self.life.spare()  # an event is posted until it is taken; how often is the rule's matter
        REACHED[f"webhooks {how}"] += self.life.run(post_webhooks(self.life.world, how))
        self._judge(f"webhooks {how}")

    # What goes wrong, on ways that meet it

    @rule(which=st.integers(0, 999), nth=st.integers(1, 2))
    def will_go_wrong(self, which: int, nth: int) -> None:
        """With whatever comes next, if that meets it."""
        call, fault = FOCUS[which % len(FOCUS)]
        self.plans({"match": {"op": call, "nth": nth}, "fault": fault})

    @rule(which=st.integers(0, 999), n=few, offer=st.integers(1, 4), twist=twist)
    def suffers(self, which: int, n: int, offer: int, twist: int) -> None:
        """A fault, and somebody on the way to meet it. `twist`: held or paid at once, hit always or once, done or not."""
        call, fault = FOCUS[which % len(FOCUS)]
        held, always, done = bool(twist & 1), bool(twist & 2), bool(twist & 4)
        planned = {"match": {"op": call} | ({} if always else {"nth": 1}), "fault": fault, "applied": done}
        match call:
            case "pay":
                self._with_a_hold(n)
                self.plans(planned)
                self._approves_all()
            case "quote" | "confirm":
                self._with_an_order(paid=not held)
                self.plans(planned)
                self.cancels_an_order(0, by_name=False)
            case "get_cancellation":
                self._with_an_order(paid=False)
                self.plans(planned, {"match": {"op": "confirm", "nth": 1}, "fault": Fault.SLOW, "seconds": 0.2})
                self._is_beaten_to_it()
            case "find_orders":
                self.plans(planned, {"match": {"op": "create", "nth": 1}, "fault": Fault.TIMEOUT_AFTER_APPLY})
                self._books(held=held, offer=offer)
            case _:
                self.plans(planned)
                self._books(held=held, offer=offer, seated=fault is Fault.SEAT_STOLEN)
        for seconds in (3, 5, 10):
            self.waits(seconds)

    @rule(n=few, word=st.sampled_from(("adopt", "not_booked", "not_booked")), held=st.booleans())
    def is_left_to_a_person(self, n: int, word: str, held: bool) -> None:
        """Nothing is ever heard of it, and what the operator says is right, or too early: the order appears after all."""
        late = {"fault": Fault.VISIBILITY_LAG if n % 2 else Fault.ACCEPTED_THEN_CREATED, "seconds": 9_000}
        lost = [{"match": {"op": "create", "nth": 1}} | late]
        self.plans(*lost, {"match": {"op": "webhook"}, "fault": Fault.WEBHOOK_DROP})
        self._books(held=held, offer=1)
        for _ in range(A_PERSONS_TURN):
            self.waits(600)
        if self._asking():
            self.resolves(0, word, right=True)
        self.waits(7200)

    @rule(n=few, offer=st.integers(1, 2), mute=st.booleans())
    def is_moved(self, n: int, offer: int, mute: bool) -> None:
        """The airline flies later than it sold; the traveller is asked what then.

        `mute`: a change is being decided, and nobody can read the order; what was asked has to be asked again.
        """
        self.starts(("tina", "tom")[n % 2], MOVED)
        self._chooses_newest(offer)
        if self.sight.waiting("review"):
            self.decides(0, "approve")
        self.waits(3)
        if mute and self.sight.trips[-1].status == "booked":
            trip = self.sight.trips[-1]
            self.does(self._name(trip.owner_id), Kind.REVISE_TRIP, trip.trip_id, offer=3 - offer)
            self.lasting = True
            self.plans({"match": {"op": "get_order"}, "fault": Fault.UNAVAILABLE})
        for seconds in (3, 1, 1, 1, 1):
            self.waits(seconds)
        self.lasting = False
        self.plans()
        self.waits(10)

    @rule(n=few, offer=st.integers(1, 4), word=st.sampled_from(("agree", "decline")), held=st.booleans())
    def is_decided_otherwise(self, n: int, offer: int, word: str, held: bool) -> None:
        """A reviewer edits what waits; another approves that, and the traveller has a word in it."""
        self.starts("tina", HELD_WITH_SEATS if held else PAID_AT_ONCE)
        self._chooses_newest(1 + offer % 3)
        for _ in range(2):
            if self.sight.waiting("review"):
                self.edits(0, {"offer": offer})
            if self.sight.waiting("review"):
                self.decides(0, "approve")
            if self.sight.waiting("agree"):
                self.agrees(0, word)
        self._approves_all()

    @rule(held=st.booleans(), word=st.sampled_from(("reject", "reject", "respond")))
    def is_refused(self, held: bool, word: str) -> None:
        """A reviewer will not have it: a hold is given back, nothing is bought."""
        self.starts("tina", HELD_WITH_SEATS if held else PAID_AT_ONCE)
        self._chooses_newest(1)
        if self.sight.waiting("review"):
            self.decides(0, word)
        self.waits(5)

    @rule(held=st.booleans(), word=st.sampled_from(("resubmit", "change", "ask")))
    def is_decided_too_late(self, held: bool, word: str) -> None:
        """Nobody decides; the review expires, and the traveller says what then. Who asks the desk is answered."""
        self.starts("tom", HELD_WITH_SEATS if held else PAID_AT_ONCE)
        self._chooses_newest(1)
        self.waits(90_000)
        if self.sight.waiting("choose"):
            self.answers(0, word)
        if word == "ask" and any(t.status == "needs_person" for t in self.sight.trips):
            self.is_answered_by_the_desk(0)

    @rule(seconds=st.sampled_from((3, 60, 700)))
    def is_half_given_back(self, seconds: int) -> None:
        """A hold is given back, and for a while nobody hears whether it was."""
        self._with_an_order(paid=False)
        silent = [{"match": {"op": op}, "fault": Fault.UNAVAILABLE} for op in ("get_order", "get_cancellation")]
        self.lasting = True
        self.plans({"match": {"op": "confirm", "nth": 1}, "fault": Fault.TIMEOUT_AFTER_APPLY}, *silent)
        self.cancels_an_order(0, by_name=False)
        self.waits(seconds)
        self.lasting = False
        self.plans()
        self.waits(700)

    @rule(seat=st.booleans(), offer=st.integers(1, 4), settle=st.sampled_from(get_args(Settle)), fault=st.integers(0, 999))
    def is_changed_once_booked(self, seat: bool, offer: int, settle: str, fault: int) -> None:
        """Another seat or another flight for what is paid, settled in each of the ways; something may go wrong in it."""
        self._with_an_order(paid=True)
        booked = [t for t in self.sight.trips if t.status == "booked"]
        if not booked:
            return
        trip = booked[-1]
        wanted = self._alive(lambda: free_seat(self.life.world, trip)) if seat else None
        change = {"seats": {"1": {"1": wanted}}} if wanted else {"offer": offer}
        if fault % 2:
            self.will_go_wrong(fault, 1)
        self.does(self._name(trip.owner_id), Kind.REVISE_TRIP, trip.trip_id, **change, settle=settle)
        self._approves_all()

    def _is_beaten_to_it(self) -> None:
        held = [o for o in self.sight.books.orders if o.state == "held"]
        if held:
            owner = next(t.owner_id for t in self.sight.trips if t.trip_id == held[-1].trip_id)
            command = self.command(self._name(owner), Kind.CANCEL_TRIP, held[-1].trip_id)
            self.both(command, meanwhile=lambda: cancelled_meanwhile(self.life.world, held[-1].order_id))

    def _books(self, *, held: bool, offer: int, seated: bool = False) -> None:
        self.starts("tina", HELD_WITH_SEATS if held else PAID_AT_ONCE)
        self._goes_on(offer, seated=seated)

    def _goes_on(self, offer: int, *, seated: bool = False) -> None:
        self._chooses_newest(offer, seated=seated)
        self._approves_all()

    def _chooses_newest(self, offer: int, *, seated: bool = False) -> None:
        """`seated`: with a seat of its own, where one is free. Only a seat that somebody wants can be taken from them."""
        if not self.sight.waiting("choose"):
            return
        trip = self._trip_of(self._pick(self.sight.waiting("choose"), 0))
        seat = self._alive(lambda: free_seat(self.life.world, trip, offer=offer)) if seated else None
        self.chooses(0, offer, {"1": {"1": seat}} if seat else None)

    def _with_a_hold(self, n: int) -> None:
        """A trip whose hold waits for its approval."""
        held = {o.trip_id for o in self.sight.books.orders if o.state == "held"}
        if not any(q.thread_id in held for q in self.sight.waiting("review")):
            self.starts("tina", HELD_WITH_SEATS)
            self._chooses_newest(1 + n % 3)

    def _with_an_order(self, *, paid: bool) -> None:
        wanted = ("ticketing", "confirmed") if paid else ("held",)
        if any(o.state in wanted for o in self.sight.books.orders):
            return
        self.starts("tom", PAID_AT_ONCE if paid else HELD_WITH_SEATS)
        self._chooses_newest(1)
        if paid:
            self._approves_all()

    def _approves_all(self) -> None:
        for _ in range(3):
            if self.sight.waiting("review"):
                self.decides(0, "approve")
        self.waits(5)

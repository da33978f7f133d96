"""Clock times, and the ways in which German and English express them."""

from collections.abc import Iterator
from typing import NamedTuple, Self

from num2words import num2words


class ClockTime(NamedTuple):
    """A time of day."""

    hour: int
    minute: str = "00"

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the time that a text such as "14.30" or "14" names."""
        hour, *minute = text.split(".")
        return cls(int(hour), *minute)

    def later(self) -> "ClockTime":
        """Return the time twelve hours later."""
        return self._replace(hour=self.hour % 12 + 12)

    @property
    def german_hours(self) -> list[str]:
        """The hour before "Uhr": in digits, and in words of a clock of 24 and of 12 hours."""
        hours = dict.fromkeys([self.hour, self.hour % 12 or 12])
        words = ("ein" if hour == 1 else num2words(hour, lang="de") for hour in hours)
        return [str(self.hour), *words]

    def german(self) -> Iterator[str]:
        """Yield the ways to write the time in German."""
        yield from (f"{self.hour}.{self.minute}", f"{self.hour}:{self.minute}")
        if self.minute == "00":
            yield from (f"{hour} Uhr" for hour in self.german_hours)
            return
        words = num2words(int(self.minute), lang="de")
        for hour in self.german_hours:
            yield from (f"{hour} Uhr {self.minute}", f"{hour} Uhr {words}")
        yield from self._german_quarters()

    def _german_quarters(self) -> Iterator[str]:
        """Yield the forms that name the hour to which a quarter or a half leads."""
        this, following = self.hour % 12 or 12, self.hour % 12 + 1
        forms = {
            "15": (("iertel nach", this), ("iertel", following)),
            "30": (("halb", following), ("Halb", following)),
            "45": (("iertel vor", following), ("reiviertel", following)),
        }
        for phrase, hour in forms.get(self.minute, ()):
            for name in (str(hour), num2words(hour, lang="de")):
                for first in {"i": "Vv", "r": "Dd"}.get(phrase[0], ("",)):
                    yield f"{first}{phrase} {name}"

    @property
    def english_number(self) -> str:
        """The usual form in English: 2:30, and from 13 o'clock on 2:30 p.m."""
        if 0 < self.hour <= 12:
            return f"{self.hour}:{self.minute}"
        return next(self.english())

    def english(self) -> Iterator[str]:
        """Yield the ways to write the time in English."""
        hour, half = self.hour % 12 or 12, "p.m." if self.hour >= 12 else "a.m."
        yield f"{hour}:{self.minute} {half}"
        yield from (f"{hour}:{self.minute}", f"{self.hour}:{self.minute}")
        this, following = (num2words(each, lang="en") for each in (hour, hour % 12 + 1))
        if self.minute == "00":
            yield from (f"{hour} {half}", f"{hour} o'clock", f"{this} o'clock")
        relative = {"15": f"quarter past {this}", "30": f"half past {this}"}
        relative["45"] = f"quarter to {following}"
        if self.minute in relative:
            yield relative[self.minute]

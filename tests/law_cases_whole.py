"""All cases for the laws that were made by hand, of all chapters."""

from tests import (
    law_cases,
    law_cases_listing,
    law_cases_reading,
    law_cases_refreshing,
    law_cases_rolling,
    law_cases_supporting,
)

CASES = (
    *law_cases.CASES,
    *law_cases_listing.CASES,
    *law_cases_reading.CASES,
    *law_cases_refreshing.CASES,
    *law_cases_rolling.CASES,
    *law_cases_supporting.CASES,
)

import { deprecationProblem } from './deprecation.ts';

// Asserts contract/conventions.md#deprecated.
test.each([
  [{ since: '2026-01-31' }, undefined],
  [{ since: '2026-01-31', sunset: '2026-01-31', link: 'https://example.org/changes' }, undefined],
  [{ since: '31.1.2026' }, "'deprecated.since' must be a day, such as 2026-01-31"],
  [{ since: '2026-02-30' }, "'deprecated.since' must be a day, such as 2026-01-31"],
  [{ since: '2026-02-01', sunset: 'soon' }, "'deprecated.sunset' must be a day, such as 2026-01-31"],
  [{ since: '2026-02-01', sunset: '2026-01-31' }, "'deprecated.sunset' is before 'deprecated.since'"],
  [
    { since: '2026-02-01', link: 'x>; rel="next"' },
    "'deprecated.link' must be an address, such as https://example.org/changes",
  ],
])('the problem of %j is %j', (deprecation, problem) => {
  expect(deprecationProblem(deprecation)).toBe(problem);
});

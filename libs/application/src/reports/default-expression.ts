/**
 * What `defaultExpression` of a parameter can be: `now`, `today`, `startOfMonth`, `endOfQuarter`, each with an offset in
 * its unit (`today-7` days, `startOfMonth-1` months), or `currentUser`.
 */
export const DEFAULT_EXPRESSION =
  /^(?:currentUser|(?:(now|today)|(start|end)Of(Day|Week|Month|Quarter|Year))([+-]\d{1,4})?)$/;

import { describeDefect } from './describe-defect.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const ERROR = '{"error":"Service unavailable","details":"The database cannot be reached"}';

const defectOf = (status: number, text: string, headers: Readonly<Record<string, string>> = JSON_TYPE) =>
  describeDefect(new Response(null, { status, headers }), new TextEncoder().encode(text));

test('refusals in the form of the API have no defect', () => {
  expect(defectOf(503, ERROR, { ...JSON_TYPE, 'retry-after': '1' })).toBeUndefined();
  expect(defectOf(404, '')).toBeUndefined();
  expect(defectOf(401, '{"error":"invalid_token","error_description":"Invalid access token"}')).toBeUndefined();
});

test.each([
  [503, ERROR, JSON_TYPE, '503 without Retry-After'],
  [500, ERROR, JSON_TYPE, '500 {"error"'],
  [502, '<html></html>', { 'content-type': 'text/html' }, '502 that is no JSON'],
  [502, '{"error":"Bad gateway"}', JSON_TYPE, '502 in another form'],
  [502, '{"error":', JSON_TYPE, '502 in another form'],
  [403, '', JSON_TYPE, '403 in another form'],
  [302, '', {}, 'the status 302 is no refusal'],
])('%s with %s and %j has a defect', (status, text, headers, defect) => {
  expect(defectOf(status, text, headers)).toMatch(new RegExp(`^${defect}`));
});

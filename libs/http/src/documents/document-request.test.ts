import { readDocumentRequest } from './document-request.ts';

test('without parameters the document is of the newest version and for every caller', () => {
  expect(readDocumentRequest({})).toEqual({ openapi: '3.1', isForCaller: false });
  expect(readDocumentRequest({ openapi: '3.0', for: 'me', other: '1' })).toEqual({ openapi: '3.0', isForCaller: true });
});

// Asserts contract/api-documents.md#parameters.
test.each([
  [{ openapi: '2.0' }, "Parameter 'openapi' must be 3.1 or 3.0"],
  [{ openapi: '' }, "Parameter 'openapi' must be 3.1 or 3.0"],
  [{ openapi: ['3.0', '3.0'] }, "Parameter 'openapi' must be 3.1 or 3.0"],
  [{ for: 'admin' }, "Parameter 'for' must be `me`"],
  [{ for: ['me', 'me'] }, "Parameter 'for' must be `me`"],
])('%j is refused, naming the parameter', (query, details) => {
  expect(() => readDocumentRequest(query)).toThrow(expect.objectContaining({ code: 'REQ_INVALID_PARAMETER', details }));
});

import { responseCheck } from '../api.ts';

test('responses that are not as the document has them are found', async () => {
  const check = await responseCheck();
  const response = {
    status: 200,
    contentType: 'application/json',
    text: '{"username":"a","locale":"en","attributes":{}}',
  };
  expect(check('GET', '/rest/userInfo', response)).toBeUndefined();
  expect(check('GET', '/rest/entities/sales_Order/search/count?filter={}', { ...response, text: '3' })).toBeUndefined();
  for (const [method, target, changed, problem] of [
    ['GET', '/rest/userInfo', { text: '{"username":"a"}' }, "must have required property 'locale'"],
    ['GET', '/rest/userInfo', { contentType: 'text/plain' }, 'as text/plain'],
    ['GET', '/rest/userInfo', { status: 409 }, 'not declared'],
    ['GET', '/rest/entities/sales_Order', { text: '[{"date":"tomorrow"}]' }, 'must match format "date"'],
    ['DELETE', '/rest/entities/sales_Order/1', { status: 204 }, 'with a body'],
    ['POST', '/rest/userInfo', {}, 'no operation of its path'],
    ['GET', '/rest/nothing', {}, 'no operation'],
  ] as const)
    expect(check(method, target, { ...response, ...changed })).toContain(problem);
});

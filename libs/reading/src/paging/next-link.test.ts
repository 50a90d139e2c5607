import { nextLink } from './next-link.ts';

test('the link is the address of the request with the cursor in place of where the page began', () => {
  expect(nextLink('/rest/entities/x?sort=-a%2Cb&limit=10&offset=20', 'C')).toBe(
    '</rest/entities/x?sort=-a%2Cb&limit=10&cursor=C>; rel="next"',
  );
  expect(nextLink('/rest/entities/x?cursor=B&limit=10&', 'C')).toBe('</rest/entities/x?limit=10&cursor=C>; rel="next"');
  expect(nextLink('/rest/entities/x/search', 'C')).toBe('</rest/entities/x/search?cursor=C>; rel="next"');
});

test('no token and no bracket of the address gets into the header', () => {
  expect(nextLink('/e?access_token=t&%61ccess_token=t&filter=a>b&%zz=1', 'C')).toBe(
    '</e?filter=a%3Eb&%zz=1&cursor=C>; rel="next"',
  );
});

test('an address too long for a header is not sent', () => {
  expect(nextLink(`/e?filter=${'x'.repeat(8_000)}`, 'C')).toBeUndefined();
});

import { keyFinderOf } from './client-keys.ts';

test('keys of existing clients that cannot verify are ignored', async () => {
  const find = keyFinderOf('{"keys":[{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA"}]}');
  await expect(find({ alg: 'ES256' }, { payload: '', signature: '' })).rejects.toMatchObject({
    code: 'ERR_JWKS_NO_MATCHING_KEY',
  });
});

import { datasourceOf, datasourceUrlOf, sessionUrlOf } from './datasource-url.ts';

const NO_SSL = { mode: undefined, rootCertificate: undefined, certificate: undefined, key: undefined };
const given = (more: Partial<Parameters<typeof datasourceUrlOf>[1]['ssl']>, passwordFile?: string) => ({
  ssl: { ...NO_SSL, ...more },
  passwordFile,
});
const URL_TEXT = 'postgres://lintel@db-1:5432,db-2:5433/shop?target_session_attrs=read-write';

test.each([
  ['nothing', given({}), URL_TEXT],
  ['a password', given({}, '/run/secrets/p w'), `${URL_TEXT}&password_file=%2Frun%2Fsecrets%2Fp+w`],
  [
    'certificates, which are checked',
    given({ rootCertificate: '/ca', certificate: '/c', key: '/k' }),
    `${URL_TEXT}&sslmode=verify-full&sslrootcert=%2Fca&sslcert=%2Fc&sslkey=%2Fk`,
  ],
  ['encryption alone', given({ mode: 'require' }), `${URL_TEXT}&sslmode=require&uselibpqcompat=true`],
  ['no encryption', given({ mode: 'disable' }), `${URL_TEXT}&sslmode=disable`],
])('properties become parameters of the URL: %s', (_, files, expected) => {
  expect(datasourceUrlOf(URL_TEXT, files)).toBe(expected);
});

test('parameters and the password of the URL are used before properties', () => {
  const url = 'postgres://a:secret@db/shop?sslmode=disable&sslrootcert=%2Fown&x=1';
  expect(datasourceUrlOf(url, given({ rootCertificate: '/ca', key: '/k' }, '/password'))).toBe(`${url}&sslkey=%2Fk`);
});

test('the direct URL has the same files, and is the one of sessions', () => {
  const config = {
    url: 'postgres://a@pooler/shop',
    directUrl: 'postgres://a@db/shop',
    pooler: 'transaction' as const,
    preparedStatements: undefined,
    ...given({}, '/password'),
    passwordFile: '/password',
  };
  expect(datasourceOf(config)).toEqual({
    url: 'postgres://a@pooler/shop?password_file=%2Fpassword',
    directUrl: 'postgres://a@db/shop?password_file=%2Fpassword',
    pooler: 'transaction',
    preparedStatements: undefined,
  });
  expect(sessionUrlOf(config)).toBe('postgres://a@db/shop?password_file=%2Fpassword');
  expect(sessionUrlOf({ ...config, directUrl: undefined })).toBe('postgres://a@pooler/shop?password_file=%2Fpassword');
});

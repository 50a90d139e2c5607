import { createReceiverRules } from './receiver-rules.ts';

const strict = createReceiverRules({ allowInsecureHttp: false, allowedNetworks: [] });

test.each([
  'https://example.com/hooks?key=1',
  'https://example.com:8443/',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
])('%s is accepted as a receiver', (url) => expect(strict.problemOf(url)).toBeUndefined());

test.each([
  ['nothing', '', 'an absolute URL'],
  ['a path', '/hooks', 'an absolute URL'],
  ['a URL without TLS', 'http://example.com/', 'https://'],
  ['another scheme', 'file:///etc/passwd', 'https://'],
  ['a user', 'https://me@example.com/', 'no user'],
  ['a password', 'https://:x@example.com/', 'no user'],
  ['a port of SSH', 'https://example.com:22/', 'a port of another protocol'],
  ['a port of SMTP', 'https://example.com:25/', 'a port of another protocol'],
  ['this machine', 'https://127.0.0.1/', 'a public address'],
  ['this machine by name', 'https://localhost/', 'a public address'],
  ['this machine by a name below localhost', 'https://api.localhost./', 'a public address'],
  ['a decimal address', 'https://2130706433/', 'a public address'],
  ['an octal address', 'https://0177.0.0.1/', 'a public address'],
  ['a hexadecimal address', 'https://0x7f.1/', 'a public address'],
  ['a short address', 'https://127.1/', 'a public address'],
  ['wide digits', 'https://１２７.0.0.1/', 'a public address'],
  ['a private network', 'https://192.168.1.7/', 'a public address'],
  ['the metadata of a cloud', 'https://169.254.169.254/latest/', 'a public address'],
  ['IPv6 of this machine', 'https://[::1]/', 'a public address'],
  ['IPv4 in IPv6', 'https://[::ffff:127.0.0.1]/', 'a public address'],
  ['IPv4 in IPv6, hexadecimal', 'https://[::ffff:a00:1]/', 'a public address'],
  ['IPv4 translated (NAT64)', 'https://[64:ff9b::10.0.0.1]/', 'a public address'],
  ['a unique local address', 'https://[fd12::1]/', 'a public address'],
  ['a link-local address', 'https://[fe80::1]/', 'a public address'],
])('%s is refused as a receiver', (_, url, problem) => expect(strict.problemOf(url)?.text).toContain(problem));

test('addresses in allowed networks are accepted, and no others', () => {
  const rules = createReceiverRules({
    allowInsecureHttp: true,
    allowedNetworks: ['10.1.0.0/16', 'fd12::/32', '127.0.0.1'],
  });
  expect(rules.problemOf('http://10.1.2.3/')).toBeUndefined();
  expect(rules.problemOf('https://[fd12::5]/')).toBeUndefined();
  expect(rules.problemOf('http://localhost:8080/')).toBeUndefined();
  expect(rules.problemOf('http://10.2.0.1/')?.text).toContain('public');
  expect(rules.problemOf('http://127.0.0.2/')?.text).toContain('public');
});

test('an invalid network is reported', () => {
  expect(() => createReceiverRules({ allowInsecureHttp: false, allowedNetworks: ['10.0.0.0/40'] })).toThrow(
    'svc.webhooks.allowed-networks: 10.0.0.0/40 is no address or network',
  );
});

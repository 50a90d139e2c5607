import { findAddresses } from './find-addresses.ts';

const lookup = async (hostname: string) => {
  if (hostname !== 'data.test') throw new Error(`${hostname} is not known`);
  return ['10.0.0.5', '2001:db8::5'];
};

test('literal addresses are themselves, a host name is all its addresses, each once', async () => {
  const urls = ['http://10.0.0.5:8082', 'http://[::1]:8082', 'http://data.test:8082', 'https://data.test'];
  expect(await findAddresses(urls, lookup)).toEqual([
    { target: 'http://10.0.0.5:8082', url: 'http://data.test:8082', servername: 'data.test' },
    { target: 'http://[::1]:8082', url: 'http://[::1]:8082', servername: undefined },
    { target: 'http://[2001:db8::5]:8082', url: 'http://data.test:8082', servername: 'data.test' },
    { target: 'https://10.0.0.5', url: 'https://data.test', servername: 'data.test' },
    { target: 'https://[2001:db8::5]', url: 'https://data.test', servername: 'data.test' },
  ]);
});

test('a name that cannot be resolved is an error', async () => {
  await expect(findAddresses(['http://other.test'], lookup)).rejects.toThrow('other.test is not known');
});

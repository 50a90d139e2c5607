import { connectEarly } from './connect-early.ts';

test('two connections are opened at the same time', async () => {
  const open: (() => void)[] = [];
  const query = () => new Promise<[]>((resolve) => open.push(() => resolve([])));
  const connecting = connectEarly({ query });
  expect(open).toHaveLength(2);
  for (const respond of open) respond();
  await connecting;
});

test('a database that cannot be reached is left to the statements that follow', async () => {
  await connectEarly({ query: () => Promise.reject(new Error('refused')) });
});

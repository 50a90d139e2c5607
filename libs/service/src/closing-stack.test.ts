import { createClosingStack } from './closing-stack.ts';

const resource = (name: string, closed: string[]) => ({
  name,
  async close() {
    closed.push(`${name} begins`);
    await Promise.resolve();
    closed.push(`${name} ends`);
  },
});

test('resources are closed one after the other, the last one first, and once', async () => {
  const closed: string[] = [];
  const stack = createClosingStack();
  expect(stack.own(resource('pool', closed)).name).toBe('pool');
  stack.own(resource('bus', closed));
  await stack.close();
  await stack.close();
  expect(closed).toEqual(['bus begins', 'bus ends', 'pool begins', 'pool ends']);
});

test('what is being opened has its position from the beginning; what failed to open is left out', async () => {
  const closed: string[] = [];
  const stack = createClosingStack();
  const opening = stack.own(Promise.resolve(resource('bus', closed)));
  const failing = stack.own(Promise.reject<ReturnType<typeof resource>>(new Error('no broker')));
  stack.own(resource('roles', closed));
  await expect(failing).rejects.toThrow('no broker');
  expect((await opening).name).toBe('bus');
  await stack.close();
  expect(closed).toEqual(['roles begins', 'roles ends', 'bus begins', 'bus ends']);
});

test('an error of one resource leaves those before it open, and is thrown', async () => {
  const closed: string[] = [];
  const stack = createClosingStack();
  stack.own(resource('pool', closed));
  stack.own({ close: () => Promise.reject(new Error('stuck')) });
  await expect(stack.close()).rejects.toThrow('stuck');
  expect(closed).toEqual([]);
});

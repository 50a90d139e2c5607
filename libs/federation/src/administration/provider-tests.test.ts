import { createProviderTests } from './provider-tests.ts';

// Asserts contract/operations.md#identity-providers.
test('requests at the same time share one test, a later one makes another', async () => {
  let count = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const tests = createProviderTests(
    new Map([
      [
        'acme',
        async () => {
          count += 1;
          await promise;
          return [{ code: 'dns', message: 'x' }] as const;
        },
      ],
    ]),
    () => 0,
  );
  const both = [tests.run('acme'), tests.run('acme')];
  resolve();
  expect(await Promise.all(both)).toEqual(
    [0, 1].map(() => ({ successful: false, durationMs: 0, problems: [{ code: 'dns', message: 'x' }] })),
  );
  expect(count).toBe(1);
  await tests.run('acme');
  expect(count).toBe(2);
});

// Asserts contract/operations.md#identity-providers.
test('an unknown name is not found', () => {
  expect(() => createProviderTests(new Map(), () => 0).run('constructor')).toThrow('no such identity provider');
});

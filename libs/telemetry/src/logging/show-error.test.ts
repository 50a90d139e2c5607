import { showError } from './show-error.ts';

/** As drivers and the platform make them. */
const databaseError = (code: string, message: string) =>
  Object.assign(new Error(message), {
    code,
    detail: 'Key (name)=(Lovelace) already exists.',
    where: 'unnamed portal $1 = Lovelace',
  });

test('an error keeps kind, code, stack and causes', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const logged = showError(new TypeError('outer', { cause }));
  expect(logged).toMatchObject({
    type: 'TypeError',
    message: 'outer',
    stack: expect.stringContaining('show-error.test'),
    cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
  });
});

test('what the database says of values is left out, wherever in the chain it is', () => {
  const logged = showError(
    new Error('outer', { cause: databaseError('22P02', 'invalid input syntax for type uuid: "Lovelace"') }),
  );
  expect(JSON.stringify(logged)).not.toContain('Lovelace');
  expect(logged).toMatchObject({ cause: { code: '22P02', message: 'invalid input syntax for type uuid: "…"' } });
  const unique = showError(databaseError('23505', 'duplicate key value violates unique constraint "uq_name"'));
  expect(unique).toMatchObject({ message: 'duplicate key value violates unique constraint "uq_name"' });
  expect(JSON.stringify(unique)).not.toContain('Lovelace');
});

test('of an error of the platform the title is shown, not the details for its client', () => {
  const ours = Object.assign(new Error('Invalid parameter: Lovelace is no number'), {
    code: 'REQ_INVALID_PARAMETER',
    error: 'Invalid parameter',
    details: 'Lovelace is no number',
    items: [{ message: 'Lovelace' }],
  });
  const logged = showError(ours) as Record<string, string>;
  expect(logged['message']).toBe('Invalid parameter');
  expect(logged['stack']).toMatch(/^Error: Invalid parameter\n\s+at /);
  expect(JSON.stringify(logged)).not.toContain('Lovelace');
});

test('secrets that libraries hang onto errors are masked', () => {
  expect(showError(Object.assign(new Error('no'), { token: 'abc' }))).toMatchObject({ token: '***' });
});

test('the commands of a driver are left out, also of errors next to the causes', () => {
  const refused = () =>
    Object.assign(new Error('WRONGPASS'), {
      command: { name: 'auth', args: ['lintel', 'Lovelace'] },
      args: ['Lovelace'],
    });
  const all = new AggregateError([refused()], 'all of them');
  for (const error of [refused(), Object.assign(new Error('no node'), { lastNodeError: refused() }), all]) {
    expect(JSON.stringify(showError(error))).not.toContain('Lovelace');
    expect(JSON.stringify(showError(error))).toContain('WRONGPASS');
  }
});

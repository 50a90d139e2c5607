import { fakeTerminal } from '../test/fake-terminal.ts';
import { messageOf } from './message-of.ts';
import { createProgram } from './program.ts';
import { run } from './run.ts';

const lintel = async (...parameters: string[]) => {
  const terminal = fakeTerminal();
  const code = await run(parameters, terminal);
  return { code, ...terminal };
};

/** `init`, `migrate run`, … */
const COMMANDS = createProgram(fakeTerminal(), () => {}).commands.flatMap((command) => [
  [command.name()],
  ...command.commands.map((one) => [command.name(), one.name()]),
]);

test.each(COMMANDS.map((words) => [words.join(' '), words] as const))(
  'lintel %s --help says what it does',
  async (name, words) => {
    const { code, output } = await lintel(...words, '--help');
    expect(code).toBe(0);
    expect(output()).toContain(`Usage: lintel ${name}`);
  },
);

test('the version is that of the package', async () => {
  const { code, output } = await lintel('--version');
  expect(code).toBe(0);
  expect(output()).toMatch(/^\d+\.\d+\.\d+$/);
});

test.each([[['nothing']], [['init', '--nothing']], [['migrate', 'generate']], [['migrate', 'status', 'x']]])(
  'a command line that makes no sense ends with 2 and a hint: %j',
  async (parameters) => {
    const { code, notes, output } = await lintel(...parameters);
    expect(code).toBe(2);
    expect(notes()).toMatch(/^error: /);
    expect(notes()).toContain('--help');
    expect(output()).toBe('');
  },
);

test('without a command, help is shown', async () => {
  const { code, notes } = await lintel();
  expect(code).toBe(2);
  expect(notes()).toContain('Usage: lintel');
});

test('an error is one sentence; its stack is shown only where it is asked for', async () => {
  const parameters = ['init', './nowhere', '--packages', './nowhere'];
  const quiet = await lintel(...parameters);
  expect(quiet.code).toBe(2);
  expect(quiet.notes()).toContain('nowhere');
  expect(quiet.notes()).not.toMatch(/^\s+at /m);
  expect((await lintel(...parameters, '--verbose')).notes()).toMatch(/^\s+at /m);
});

test('several reasons in one error are all reported', () => {
  expect(messageOf(new AggregateError([new Error('refused ::1'), new Error('refused 127.0.0.1')]))).toBe(
    'refused ::1; refused 127.0.0.1',
  );
});

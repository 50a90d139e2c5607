import { Badge, Text } from '@mantine/core';
import { useText } from '../../../context.ts';
import { type JobRun, RUN_COLORS } from './job.ts';

/** The state of a run, with its progress, or the kind of its error and the id that the log has. */
export function RunState({ run: { id, state, error, progress } }: { readonly run: JobRun }) {
  const text = useText();
  return (
    <>
      <Badge color={RUN_COLORS[state]}>{text(`jobs.state.${state}`)}</Badge>
      {error !== null && state !== 'completed' && <Text size="xs">{`${error} (${id})`}</Text>}
      {progress !== null && (
        <Text size="xs">
          {text('jobs.progress', { done: String(progress.done), of: String(progress.of) })} {progress.text}
        </Text>
      )}
    </>
  );
}

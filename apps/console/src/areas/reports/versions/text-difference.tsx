import { Code } from '@mantine/core';
import '@mantine/core/styles/Code.css';
import { structuredPatch } from 'diff';
import { useMemo } from 'react';
import classes from './versions.module.css';

/** Lines that are shown around a change. */
const CONTEXT = 3;

interface TextDifferenceProps {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** Two texts line by line: what was removed and added, with the lines around. */
export function TextDifference({ label, from, to }: TextDifferenceProps) {
  const hunks = useMemo(() => structuredPatch('', '', from, to, '', '', { context: CONTEXT }).hunks, [from, to]);
  return (
    <Code block component="section" tabIndex={0} aria-label={label} className={classes['difference']}>
      {hunks.map(({ newStart, oldStart, lines }) => (
        <div key={`${oldStart} ${newStart}`} className={classes['hunk']}>
          {lines.map((line, at) => (
            // The position is what identifies a line.
            // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move
            <div key={at} data-change={line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : undefined}>
              {line}
            </div>
          ))}
        </div>
      ))}
    </Code>
  );
}

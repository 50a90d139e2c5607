import type { Difference } from '@lintel/react';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useLanguage, useModel } from '../../../../context.ts';
import { ChoiceField } from '../../../../controls/forms.tsx';
import { PlainTable } from '../../../../table/plain-table.tsx';
import classes from '../form.module.css';
import { type ConflictWords, captionOfDifference, valueOfDifference } from './describe-difference.ts';

interface ConflictTableProps {
  readonly differences: readonly Difference[];
  /** Called with the paths of the conflicts for which the stored value is taken. */
  readonly onContinue: (theirs: readonly string[]) => void;
}

/**
 * What was stored before, what the user has entered and what somebody else has stored: attribute by attribute, in the
 * children of compositions too.
 */
export function ConflictTable({ differences, onContinue }: ConflictTableProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const words: ConflictWords = { model, text, locale };
  return (
    <Alert
      color="yellow"
      title={text('conflict.title')}
      role="alert"
      mb="md"
      // Yellow text has too little contrast.
      styles={{ title: { color: 'var(--mantine-color-text)' }, body: { minWidth: 0 } }}
    >
      <Text size="sm">{text('conflict.text')}</Text>
      <PlainTable className={classes['lines']} label={text('conflict.title')} minWidth={560}>
        <thead>
          <tr>
            {['attribute', 'before', 'mine', 'theirs', 'keep'].map((column) => (
              <th key={column} scope="col">
                {text(`conflict.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => {
            const { path, before, mine: own, theirs: other, isMine, isConflict } = difference;
            const caption = captionOfDifference(difference, words);
            return (
              <tr key={path}>
                <th scope="row">{caption}</th>
                <td>{valueOfDifference(difference, before, words)}</td>
                <td>{valueOfDifference(difference, own, words)}</td>
                <td>{valueOfDifference(difference, other, words)}</td>
                <td>
                  {isConflict ? (
                    <ChoiceField
                      size="xs"
                      aria-label={text('conflict.keepOf', { name: caption })}
                      value={taken.has(path) ? 'theirs' : 'mine'}
                      data={[
                        { value: 'mine', label: text('conflict.mine') },
                        { value: 'theirs', label: text('conflict.theirs') },
                      ]}
                      onChange={(value) => {
                        const next = new Set(taken);
                        if (value === 'theirs') next.add(path);
                        else next.delete(path);
                        setTaken(next);
                      }}
                    />
                  ) : (
                    text(isMine ? 'conflict.mine' : 'conflict.theirs')
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </PlainTable>
      <Group justify="end" mt="xs">
        <Button variant="filled" size="xs" onClick={() => onContinue([...taken])}>
          {text('conflict.continue')}
        </Button>
      </Group>
    </Alert>
  );
}

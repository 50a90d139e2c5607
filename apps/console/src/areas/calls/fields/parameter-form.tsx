import { Button, Stack } from '@mantine/core';
import { IconClock, IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useText } from '../../../context.ts';
import { ValueField } from './value-field.tsx';
import { type Entered, missingOf, type NamedType } from './value-type.ts';

const BACKGROUND = 'background';

interface ParameterFormProps {
  readonly types: readonly NamedType[];
  /** What the address has. */
  readonly given: Entered;
  readonly errors: ReadonlyMap<string, string>;
  readonly isRunning: boolean;
  readonly label: string;
  readonly onRun: (entered: Entered, inBackground: boolean) => void;
  /** A second button has it, which runs the call in the background. */
  readonly backgroundLabel?: string | undefined;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** A field for each parameter, and the button that runs the call. Input stays after an error. */
export function ParameterForm({ types, given, errors, isRunning, label, ...form }: ParameterFormProps) {
  const text = useText();
  const [entered, setEntered] = useState(given);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const address = JSON.stringify(given);
  // Another address, as of an earlier call in the history, has other values.
  useEffect(() => setEntered(JSON.parse(address) as Entered), [address]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const found = missingOf(types, entered);
        setMissing(found);
        const { submitter } = event.nativeEvent as SubmitEvent;
        if (found.length === 0) form.onRun(entered, submitter?.getAttribute('value') === BACKGROUND);
      }}
    >
      <Stack maw={560} gap="sm">
        {types.map(({ name, required, valueType }) => (
          <ValueField
            key={name}
            label={name}
            type={valueType}
            required={required}
            value={entered[name]}
            error={missing.includes(name) ? text('calls.missing') : errors.get(name)}
            onChange={(value) => {
              setEntered((before) => ({ ...before, [name]: value }));
              setMissing((before) => before.filter((each) => each !== name));
            }}
          />
        ))}
        <div style={{ display: 'flex', gap: 'var(--mantine-spacing-xs)', flexWrap: 'wrap' }}>
          <Button variant="filled" type="submit" loading={isRunning} leftSection={<IconPlayerPlay size={16} />}>
            {label}
          </Button>
          {form.backgroundLabel !== undefined && (
            <Button type="submit" value={BACKGROUND} leftSection={<IconClock size={16} />}>
              {form.backgroundLabel}
            </Button>
          )}
          {form.children}
        </div>
      </Stack>
    </form>
  );
}

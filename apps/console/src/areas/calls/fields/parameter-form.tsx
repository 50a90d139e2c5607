import { Button, Stack } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useText } from '../../../language/text-provider.tsx';
import { ValueField } from './value-field.tsx';
import { type Entered, missingOf, type NamedType } from './value-type.ts';

interface ParameterFormProps {
  readonly types: readonly NamedType[];
  /** What the address has. */
  readonly given: Entered;
  readonly errors: ReadonlyMap<string, string>;
  readonly isRunning: boolean;
  readonly label: string;
  readonly onRun: (entered: Entered) => void;
  /** Further buttons. */
  readonly children?: ReactNode;
}

/** A field for each parameter, and the button that runs the call. Input stays after an error. */
export function ParameterForm({ types, given, errors, isRunning, label, onRun, children }: ParameterFormProps) {
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
        if (found.length === 0) onRun(entered);
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
          <Button type="submit" loading={isRunning} leftSection={<IconPlayerPlay size={16} />}>
            {label}
          </Button>
          {children}
        </div>
      </Stack>
    </form>
  );
}

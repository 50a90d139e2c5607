import type { ReportInfo } from '@lintel/client';
import { Button, Group, Stack } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useText } from '../../../context.ts';
import { SubmitForm } from '../../../controls/forms.tsx';
import { RunFields } from './run-fields.tsx';
import type { RunFieldsState } from './use-run-fields.ts';

interface RunFormProps {
  readonly report: ReportInfo;
  readonly fields: RunFieldsState;
  /** Of the last run: what it says about a parameter is shown at its field. */
  readonly failure: Error | null;
  readonly isRunning: boolean;
  readonly onRun: () => void;
  /** Further buttons. */
  readonly children: ReactNode;
}

/** The form that runs a report. */
export function RunForm({ report, fields, failure, isRunning, onRun, children }: RunFormProps) {
  const text = useText();
  return (
    <SubmitForm onSubmit={() => onRun()}>
      <Stack maw={560}>
        <RunFields report={report} fields={fields} failure={failure} />
        <Group>
          <Button variant="filled" type="submit" loading={isRunning} leftSection={<IconPlayerPlay size={16} />}>
            {text('run.run')}
          </Button>
          {children}
        </Group>
      </Stack>
    </SubmitForm>
  );
}

import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useText } from '../../../context.ts';
import { ConfirmButton } from '../../../controls/confirm-button.tsx';
import { TextField } from '../../../controls/forms.tsx';
import { readableJson } from '../../../controls/readable-json.ts';
import { notify } from '../../../errors/notify.ts';
import { ErrorAlert, Pending, Waiting } from '../../../errors/pending.tsx';
import { type AttributeDifference, type ReportVersion, useDifference, useVersionActions } from './report-versions.ts';
import { VersionPreview } from './version-preview.tsx';

const TextDifference = lazy(async () => ({ default: (await import('./text-difference.tsx')).TextDifference }));
/** As the server has it. */
const MAX_COMMENT = 1_000;

interface VersionPanelProps {
  readonly report: string;
  readonly version: ReportVersion;
  readonly isNewest: boolean;
}

/** A version: its comment, what has changed since, and the way back. */
export function VersionPanel({ report, version, isNewest }: VersionPanelProps) {
  const text = useText();
  const { number } = version;
  const title = text('versions.version', { number });
  const actions = useVersionActions(report);
  const [comment, setComment] = useState(version.comment ?? '');
  const [isPreviewed, setPreviewed] = useState(false);
  const save = useMutation({ mutationFn: () => actions.setComment(number, comment === '' ? null : comment) });
  const restore = useMutation({
    mutationFn: () => actions.restore(number, text('versions.restoredFrom', { number })),
    onSuccess: () => notify({ message: text('versions.restored', { number }), closeLabel: text('action.close') }),
  });
  const failure = save.error ?? restore.error;
  return (
    <Stack component="section" aria-label={title} gap="sm">
      <Title order={3} size="h5">
        {title}
      </Title>
      <Group align="flex-end">
        <TextField
          label={text('versions.comment')}
          style={{ flex: '1 1 240px' }}
          maw={480}
          maxLength={MAX_COMMENT}
          value={comment}
          onChange={setComment}
        />
        {comment !== (version.comment ?? '') && (
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            {text('versions.saveComment')}
          </Button>
        )}
        {!isNewest && (
          <ConfirmButton
            size="sm"
            label={text('versions.restore')}
            question={text('versions.restoreText', { number })}
            action={restore}
          />
        )}
        <Button aria-expanded={isPreviewed} onClick={() => setPreviewed((before) => !before)}>
          {text('versions.preview')}
        </Button>
      </Group>
      {failure !== null && <ErrorAlert error={failure} />}
      {isPreviewed && <VersionPreview report={report} number={number} />}
      {isNewest ? <Text size="sm">{text('versions.isNewest')}</Text> : <Difference report={report} number={number} />}
    </Stack>
  );
}

function Difference({ report, number }: { readonly report: string; readonly number: number }) {
  const text = useText();
  const { data, error, refetch } = useDifference(report, number);
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const { attributes, templates = [] } = data;
  if (attributes.length + templates.length === 0) return <Text size="sm">{text('versions.equal')}</Text>;
  return (
    <Stack gap="xs">
      <Text size="sm">{text('versions.since', { count: attributes.length + templates.length })}</Text>
      {attributes.map((difference) => (
        <Attribute key={difference.attribute} difference={difference} />
      ))}
      {templates.map(({ code, change, attributes: changed }) => (
        <Stack key={code} gap={4}>
          <Text size="sm" fw={500}>
            {text(`versions.template.${change}`, { code })}
          </Text>
          {change === 'changed' && changed.map((each) => <Attribute key={each.attribute} difference={each} />)}
        </Stack>
      ))}
    </Stack>
  );
}

function Attribute({ difference: { attribute, from, to } }: { readonly difference: AttributeDifference }) {
  const text = useText();
  if (attribute === 'definition')
    return (
      <Suspense fallback={<Waiting />}>
        <TextDifference label={attribute} from={readableJson(String(from ?? ''))} to={readableJson(String(to ?? ''))} />
      </Suspense>
    );
  const shown = (value: AttributeDifference['from']): string => (value === null ? '–' : String(value));
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {text('versions.change', { attribute, from: shown(from), to: shown(to) })}
    </Text>
  );
}

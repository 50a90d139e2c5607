import { Select, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useLanguage, useText } from '../../../context.ts';
import { SwitchField, TextField } from '../../../controls/forms.tsx';
import { Pending, Waiting } from '../../../errors/pending.tsx';
import { useRead } from '../../../requests/use-read.ts';
import { DataTable } from '../../../table/data-table.tsx';
import type { RunningProcess } from '../health/running-process.ts';
import { type EffectiveSetting, shownSettings } from './shown-settings.ts';

/** The properties in force in a process, and where their values come from. */
export function ConfigurationPage() {
  const text = useText();
  const [chosen, setChosen] = useState<string | null>(null);
  const [words, setWords] = useState('');
  const [isChangedOnly, setChangedOnly] = useState(false);
  const searched = useDeferredValue(words);
  const processes = useRead<readonly RunningProcess[]>(['processes'], 'operations', '/processes');
  const id = chosen ?? processes.data?.[0]?.id;
  const settings = useRead<readonly EffectiveSetting[]>(
    ['settings', id],
    'operations',
    `/processes/${encodeURIComponent(id ?? '')}/settings`,
    { enabled: id !== undefined, placeholderData: keepPreviousData },
  );
  const error = processes.error ?? settings.error;
  if (error !== null || processes.data === undefined)
    return <Pending error={error} onRetry={() => Promise.all([processes.refetch(), settings.refetch()])} />;
  const shown = shownSettings(settings.data ?? [], searched, isChangedOnly);
  return (
    <Stack>
      <Title order={1}>{text('running.configuration')}</Title>
      {processes.data.length === 0 && <Text>{text('health.none')}</Text>}
      <Select
        label={text('configuration.process')}
        data={processes.data.map((each) => ({ value: each.id, label: each.id }))}
        value={id ?? null}
        onChange={setChosen}
        maw={420}
      />
      <TextField label={text('configuration.find')} value={words} onChange={setWords} maw={420} />
      <SwitchField label={text('configuration.changedOnly')} checked={isChangedOnly} onChange={setChangedOnly} />
      {settings.data === undefined ? <Waiting /> : <SettingsTable settings={shown} />}
    </Stack>
  );
}

function SettingsTable({ settings }: { readonly settings: readonly EffectiveSetting[] }) {
  const { text, texts } = useLanguage();
  const originOf = (origin: string): string => {
    const key = `configuration.origin.${origin}`;
    return texts[key] === undefined ? origin : text(key);
  };
  return (
    <DataTable
      label={text('running.configuration')}
      minWidth={640}
      rows={settings}
      keyOf={({ name }) => name}
      empty={text('configuration.none')}
      columns={[
        { caption: text('configuration.name'), wraps: true, cell: ({ name }) => name },
        {
          caption: text('configuration.value'),
          wraps: true,
          cell: ({ value }) => value ?? text('configuration.noValue'),
        },
        { caption: text('configuration.origin'), wraps: true, cell: ({ origin }) => originOf(origin) },
      ]}
    />
  );
}

import type { ReportInfo } from '@lintel/client';
import { Group, Select, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLanguage } from '../../../context.ts';
import { SubmitForm, SwitchField, TextField } from '../../../controls/forms.tsx';
import { SaveBar } from '../../../controls/save-bar.tsx';
import { parameterErrors } from '../../../errors/parameter-of-error.ts';
import { nameOf } from '../../../language/languages.ts';
import { RunFields } from '../parameters/run-fields.tsx';
import { useRunFields } from '../parameters/use-run-fields.ts';
import { type Delivery, reportOf } from './delivery.ts';
import { cronOf, LAST_DAY, type Schedule, scheduleOf, weekdayOf } from './schedule.ts';

interface DeliveryFormProps {
  /** Absent for a new one. */
  readonly delivery: Delivery | undefined;
  /** The report of a new one. */
  readonly report: string | undefined;
  readonly reports: readonly ReportInfo[];
  readonly isSaving: boolean;
  /** The error of the last save. */
  readonly error: Error | null;
  readonly onSave: (values: Readonly<Record<string, unknown>>) => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** The attributes with a field. */
export const FIELDS = ['name', 'report', 'parameters', 'recipients', 'format', 'schedule', 'timeZone'] as const;
const KINDS = ['daily', 'workdays', 'weekly', 'monthly', 'other'] as const;
const FORMATS = ['PDF', 'HTML', 'DOCX', 'XLSX', 'CSV'];
const WEEK = [1, 2, 3, 4, 5, 6, 0];
/** A usual time before work. */
const FIRST = '0 7 * * 1-5';

/** What is sent to whom and when; all mistakes are at their fields at once. */
export function DeliveryForm({
  delivery,
  reports,
  isSaving,
  error,
  onSave,
  onCancel,
  children,
  ...initial
}: DeliveryFormProps) {
  const { text, locale } = useLanguage();
  const [values, setValues] = useState({
    name: delivery?.name ?? reportOf(reports, initial.report ?? '')?.name ?? '',
    report: delivery?.report ?? initial.report ?? '',
    recipients: delivery?.recipients ?? '',
    format: delivery?.format ?? null,
    timeZone: delivery?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    active: delivery?.active ?? true,
  });
  const [schedule, setSchedule] = useState<Schedule>(() => scheduleOf(delivery?.schedule ?? FIRST));
  const change = (part: Partial<typeof values>): void => setValues((before) => ({ ...before, ...part }));
  const plan = (part: Partial<Schedule>): void => setSchedule((before) => ({ ...before, ...part }));
  const report = reportOf(reports, values.report);
  const fields = useRunFields(report, delivery);
  const [isChecked, setChecked] = useState(false);
  const missing = [
    ...(values.name.trim() === '' ? ['name'] : []),
    ...(values.report === '' ? ['report'] : []),
    ...(values.recipients.trim() === '' ? ['recipients'] : []),
  ];
  const refused = parameterErrors(error, FIELDS);
  const problemOf = (field: (typeof FIELDS)[number]): string | undefined =>
    isChecked && missing.includes(field) ? text('delivery.needed') : refused.get(field);
  const save = (): void => {
    setChecked(true);
    if (missing.length > 0) return;
    const { parameters, template = null } = fields.options();
    onSave({
      ...values,
      parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
      template,
      schedule: cronOf(schedule),
      locale: delivery?.locale ?? locale.replace('-', '_'),
    });
  };
  const days =
    schedule.kind === 'weekly'
      ? WEEK.map((day) => ({ value: String(day), label: weekdayOf(day, locale) }))
      : Array.from({ length: LAST_DAY }, (_, at) => ({ value: String(at + 1), label: String(at + 1) }));
  return (
    <SubmitForm noValidate onSubmit={save}>
      <Stack maw={640}>
        <Select
          label={text('delivery.report')}
          withAsterisk
          searchable
          error={problemOf('report')}
          value={report?.code ?? report?.id ?? null}
          onChange={(key) => {
            const chosen = reportOf(reports, key ?? '');
            fields.setTemplate(null);
            change({ report: key ?? '', ...(values.name === (report?.name ?? '') && { name: chosen?.name ?? '' }) });
          }}
          data={reports.map(({ id, code, name }) => ({ value: code ?? id, label: name }))}
        />
        <TextField
          label={text('delivery.name')}
          description={text('delivery.nameHint')}
          withAsterisk
          error={problemOf('name')}
          value={values.name}
          onChange={(value) => change({ name: value })}
        />
        {report !== undefined && <RunFields report={report} fields={fields} failure={error} />}
        <TextField
          label={text('delivery.recipients')}
          description={text('delivery.recipientsHint')}
          withAsterisk
          error={problemOf('recipients')}
          value={values.recipients}
          onChange={(value) => change({ recipients: value })}
        />
        <Group align="flex-start">
          <Select
            label={text('delivery.schedule')}
            error={problemOf('schedule')}
            value={schedule.kind}
            onChange={(kind) => plan({ kind: kind as Schedule['kind'], day: 1, cron: cronOf(schedule) })}
            data={KINDS.map((value) => ({ value, label: text(`delivery.kind.${value}`) }))}
          />
          {(schedule.kind === 'weekly' || schedule.kind === 'monthly') && (
            <Select
              label={text('delivery.day')}
              value={String(schedule.day)}
              onChange={(day) => plan({ day: Number(day) })}
              data={days}
            />
          )}
          {schedule.kind === 'other' ? (
            <TextField
              label={text('delivery.cron')}
              description={text('delivery.cronHint')}
              value={schedule.cron}
              onChange={(value) => plan({ cron: value })}
            />
          ) : (
            <TextField
              label={text('delivery.time')}
              type="time"
              value={schedule.time}
              onChange={(value) => plan({ time: value || schedule.time })}
            />
          )}
        </Group>
        <Select
          label={text('delivery.timeZone')}
          searchable
          error={problemOf('timeZone')}
          value={values.timeZone}
          onChange={(timeZone) => change({ timeZone: timeZone ?? 'UTC' })}
          data={[...new Set([values.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          limit={50}
        />
        <Select
          label={text('delivery.format')}
          description={text('delivery.formatHint', {
            language: nameOf((delivery?.locale ?? locale).replace('_', '-')),
          })}
          placeholder={text('delivery.ofTemplate')}
          clearable
          error={problemOf('format')}
          value={values.format}
          onChange={(format) => change({ format })}
          data={FORMATS}
        />
        <SwitchField
          label={text('delivery.active')}
          checked={values.active}
          onChange={(isChecked) => change({ active: isChecked })}
        />
      </Stack>
      <SaveBar isSaving={isSaving} onDiscard={onCancel}>
        {children}
      </SaveBar>
    </SubmitForm>
  );
}

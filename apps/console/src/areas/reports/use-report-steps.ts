import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useModel, useText } from '../../context.ts';
import { notify } from '../../errors/notify.ts';
import type { RunFieldsState } from './parameters/use-run-fields.ts';
import { loadPreviewedData, reportPath } from './preview/load-previewed-data.ts';
import { readDocument } from './preview/read-document.ts';

/** What can be done with a report: a run, a run in the background, and a preview of its data. */
export function useReportSteps(id: string, options: RunFieldsState['options']) {
  const text = useText();
  const { client, connection } = useModel();
  const queries = useQueryClient();
  const run = useMutation({ mutationFn: async () => readDocument(await client.reports.run({ id }, options())) });
  const start = useMutation({
    mutationFn: () => client.reports.start({ id }, options()),
    onSuccess: () => {
      notify({ message: text('run.started'), closeLabel: text('action.close') });
      void queries.invalidateQueries({ queryKey: ['runs'] });
    },
  });
  const preview = useMutation({
    mutationFn: () => loadPreviewedData(connection, reportPath(id), options().parameters),
  });
  const steps = [run, start, preview];
  return {
    run,
    start,
    preview,
    failure: run.error ?? start.error ?? preview.error,
    /** Only the result of the last one is shown. */
    begin: (step: (typeof steps)[number]): void => {
      for (const each of steps) if (each !== step) each.reset();
      step.mutate();
    },
    reset: (): void => {
      for (const each of steps) each.reset();
    },
  };
}

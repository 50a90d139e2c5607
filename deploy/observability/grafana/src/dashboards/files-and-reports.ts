import { makeDashboard } from '../make-dashboard.ts';
import { graph } from '../panels.ts';
import { maxOf, quantileOf, rateOf, sumOf } from '../promql.ts';

const DURATION = 'lintel_reports_run_duration_seconds';

/** Transfers of files, and runs of reports. */
export const filesAndReports = makeDashboard({
  uid: 'lintel-files-and-reports',
  title: 'Lintel: files and reports',
  description: 'Transfers of files, the queue of report runs and the runs themselves',
  rows: {
    Reports: [
      [
        graph('Runs that no worker has taken yet', 'short', { runs: maxOf('', 'lintel_reports_runs_waiting') }),
        graph(
          'Runs under way',
          'short',
          { '{{mode}}': sumOf('mode', 'lintel_reports_runs_running') },
          {
            description: 'direct: a client waits',
          },
        ),
        graph('Runs that ended', 'ops', { '{{mode}} {{outcome}}': rateOf('mode, outcome', `${DURATION}_count`) }),
        graph('Duration', 's', {
          '{{mode}}: half of them': quantileOf(0.5, 'mode', DURATION),
          '{{mode}}: 95 %': quantileOf(0.95, 'mode', DURATION),
        }),
      ],
    ],
    Files: [
      [
        graph('Transfers under way', 'short', { '{{direction}}': sumOf('direction', 'lintel_files_transfers_active') }),
        graph('Transfers that ended', 'ops', {
          '{{direction}} {{outcome}}': rateOf('direction, outcome', 'lintel_files_transfers_total'),
        }),
        graph('Bytes', 'Bps', { '{{direction}}': rateOf('direction', 'lintel_files_bytes_total') }),
      ],
    ],
  },
});

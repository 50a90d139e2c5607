import { useQuery } from '@tanstack/react-query';
import { useModel } from '../../../context.ts';
import { loadStoredReport, REPORT } from './stored-report.ts';

/** A report of the database with its templates; null for one of the application. */
export function useStoredReport(id: string) {
  const { client, rights } = useModel();
  return useQuery({
    queryKey: ['report', id, 'stored'],
    enabled: rights.may(REPORT, 'read') && rights.mayView(REPORT, 'definition'),
    queryFn: ({ signal }) => loadStoredReport(client, id, signal),
  });
}

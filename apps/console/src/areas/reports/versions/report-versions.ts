import type { Connection } from '@lintel/client';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useModel } from '../../../context.ts';
import { REPORT } from '../stored/stored-report.ts';

/** A version of a report of the database, without its content. */
export interface ReportVersion {
  readonly number: number;
  readonly createdAt: string;
  readonly username: string | null;
  readonly comment: string | null;
}

/** An attribute with different values in two versions. */
export interface AttributeDifference {
  readonly attribute: string;
  readonly from: string | boolean | null;
  readonly to: string | boolean | null;
}

/** What differs between two versions. */
export interface VersionDifference {
  readonly from: number;
  readonly to: number;
  readonly attributes: readonly AttributeDifference[];
  /** Absent if the user does not see all templates. */
  readonly templates?: readonly {
    readonly code: string;
    readonly change: 'added' | 'removed' | 'changed';
    readonly attributes: readonly AttributeDifference[];
  }[];
}

const PAGE_SIZE = 10;

const pathOf = ({ paths }: Connection, report: string): string =>
  `${paths.entities}/${REPORT}/${encodeURIComponent(report)}/versions`;

/** The versions of a report, the newest first, page by page. */
export function useVersions(report: string) {
  const { connection } = useModel();
  return useInfiniteQuery({
    queryKey: ['report', report, 'versions'],
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({
        limit: String(PAGE_SIZE),
        ...(pageParam > 0 && { before: String(pageParam) }),
      });
      const call = { method: 'GET', path: `${pathOf(connection, report)}?${query}`, repeatable: true, signal };
      return (await connection.read(call)).body as readonly ReportVersion[];
    },
    initialPageParam: 0,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.number),
  });
}

/** What has changed since a version. */
export function useDifference(report: string, number: number) {
  const { connection } = useModel();
  return useQuery({
    queryKey: ['report', report, 'versions', number, 'difference'],
    queryFn: async ({ signal }) => {
      const call = {
        method: 'GET',
        path: `${pathOf(connection, report)}/${number}/difference`,
        repeatable: true,
        signal,
      };
      return (await connection.read(call)).body as VersionDifference;
    },
  });
}

/** Requests that change versions. */
export function useVersionActions(report: string) {
  const { connection, user } = useModel();
  const queries = useQueryClient();
  const send = async (method: string, path: string, json: object): Promise<void> => {
    await connection.read({ method, path: `${pathOf(connection, report)}${path}`, repeatable: false, json });
    await queries.invalidateQueries({ queryKey: ['report'] });
    await queries.invalidateQueries({ queryKey: ['templates'] });
  };
  return {
    restore: (number: number, comment: string | null) => send('POST', `/${number}/restore`, { comment }),
    setComment: (number: number, comment: string | null) => send('PATCH', `/${number}`, { comment }),
    /** Changes the comment of the version that the user has saved last. */
    async commentOwn(comment: string): Promise<void> {
      const call = { method: 'GET', path: `${pathOf(connection, report)}?limit=${PAGE_SIZE}`, repeatable: true };
      const newest = (await connection.read(call)).body as readonly ReportVersion[];
      const own = newest.find(({ username }) => username === user.username);
      if (own !== undefined) await send('PATCH', `/${own.number}`, { comment });
    },
  };
}

import { useModel } from '../context.ts';

/** The address of the explorer of the API; undefined where its users cannot log in. */
export function useExplorer(): string | undefined {
  const { connection, settings } = useModel();
  const path = settings.endpoints['docs'];
  return path === undefined ? undefined : new URL(connection.baseUrl + path, document.baseURI).href;
}

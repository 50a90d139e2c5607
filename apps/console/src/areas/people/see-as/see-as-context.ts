import { createContext, useContext } from 'react';

export interface SeeAs {
  /** Shows the console as that user sees it. */
  begin(username: string): Promise<void>;
}

export const SeeAsContext = createContext<SeeAs | undefined>(undefined);

/** Shows the console as another user sees it. */
export function useSeeAs(): SeeAs {
  const seeAs = useContext(SeeAsContext);
  if (seeAs === undefined) throw new Error('There is no SeeAsFrame');
  return seeAs;
}

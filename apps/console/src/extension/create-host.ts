import * as lintel from '@lintel/react';
import type { ConsoleHost } from '@lintel/react/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as React from 'react';
import { HOST_COMPONENTS } from './host-components.tsx';
import { useConsole } from './use-console.ts';

/** What the console shares with an extension. */
export const createHost = (): ConsoleHost => ({
  React,
  query: { useMutation, useQuery, useQueryClient },
  lintel,
  components: HOST_COMPONENTS,
  useConsole,
});

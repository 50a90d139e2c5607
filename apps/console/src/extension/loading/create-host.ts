import * as lintel from '@lintel/react';
import type { ConsoleHost } from '@lintel/react/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as React from 'react';
import { useConsole } from '../use-console.ts';
import { HOST_COMPONENTS } from './host-components.tsx';

/** What the console shares with an extension. */
export const createHost = (): ConsoleHost => ({
  React,
  query: { useMutation, useQuery, useQueryClient },
  lintel,
  components: HOST_COMPONENTS,
  useConsole,
});

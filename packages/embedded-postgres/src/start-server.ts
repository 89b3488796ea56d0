import type { Cluster } from './cluster.ts';
import { ownerUrlAt, superuserUrlAt } from './find-embedded-postgres.ts';
import { prepareOwner } from './prepare-owner.ts';
import { type Settings, startPostmaster } from './start-postmaster.ts';
import { identifyPostmaster, type StopLimits, stopPostmaster } from './stop-postmaster.ts';

/** A server with its owner's role. */
export type Server = {
  /** For a role that owns the database and is not a superuser. */
  url: string;
  superuserUrl: string;
  /** Waits until everything is on disk, even if the directory was deleted meanwhile. */
  stop: (limits?: StopLimits) => Promise<void>;
};

/** Starts the server of a cluster. If it cannot be prepared, it is stopped, because no caller would know about it. */
export async function startServer(
  cluster: Cluster,
  log: (message: string) => void,
  settings: Settings = {},
): Promise<Server> {
  const port = await startPostmaster(cluster, settings);
  try {
    return await prepareServer(cluster, port, log);
  } catch (error) {
    await stopPostmaster(await identifyPostmaster(cluster.data));
    throw error;
  }
}

/** Prepares the owner on a server that runs. */
export async function prepareServer(
  cluster: Cluster,
  port: number,
  log: (message: string) => void,
): Promise<Server> {
  const postmaster = await identifyPostmaster(cluster.data);
  const superuserUrl = await superuserUrlAt(cluster, port);
  await prepareOwner(superuserUrl, cluster, log);
  return {
    url: await ownerUrlAt(cluster, port),
    superuserUrl,
    stop: (limits) => stopPostmaster(postmaster, limits),
  };
}

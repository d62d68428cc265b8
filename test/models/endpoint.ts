import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Posted {
  readonly headers: IncomingMessage["headers"];
  readonly body: { systemPrompt?: string; prompt?: string };
  closed: boolean;
}

export type Handler = (response: ServerResponse, posted: Posted, number: number) => void;

/** A server on loopback that answers by `handle`, closed with the test. */
export async function endpoint(handle: Handler): Promise<{ url: string; posts: Posted[] }> {
  const posts: Posted[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request.setEncoding("utf8")) text += part;
    const posted: Posted = { headers: request.headers, body: JSON.parse(text), closed: false };
    posts.push(posted);
    response.on("close", () => {
      posted.closed = !response.writableFinished;
    });
    handle(response, posted, posts.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/summarize`, posts };
}

export const json =
  (body: unknown, status = 200, headers = {}): Handler =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** A URL on loopback where nobody listens any more. */
export async function nowhere(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

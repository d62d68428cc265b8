/** Models behind the port, by the package @earendil-works/pi-ai, which is loaded when the first one is opened. */
export type { ChatModel, ReplyFailure } from "../ports/chat-model.ts";
export { openChatModel } from "./chat.ts";
export { type OpenModelOptions, openModel } from "./open.ts";
export { MODEL_APIS, type ModelApi } from "./pi-ai.ts";
export { checkEndpoint, type RemoteOptions, remoteModel } from "./remote.ts";

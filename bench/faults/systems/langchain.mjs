import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { summarizationMiddleware } from "langchain";
import { conversation } from "../conversation.mjs";

/** LangChain's summarization middleware, with one retry instead of six, before a request of an agent that holds the conversation. */
export async function compacted(baseUrl) {
  const model = new ChatOpenAI({ model: "m", apiKey: "key", maxRetries: 1, configuration: { baseURL: baseUrl } });
  const middleware = summarizationMiddleware({ model, trigger: { tokens: 5_000 }, keep: { messages: 10 } });
  const messages = conversation.map(({ role, text }, index) =>
    role === "user"
      ? new HumanMessage({ content: text, id: `${index}` })
      : new AIMessage({ content: text, id: `${index}` }),
  );
  const hook = middleware.beforeModel.hook ?? middleware.beforeModel;
  const changed = await hook({ messages }, { context: {} });
  if (!changed) return { kept: true };
  const summary = changed.messages.find((message) => message.getType() === "human");
  return { summary: String(summary?.content ?? "") };
}

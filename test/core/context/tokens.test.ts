import { readFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { bpeCounter } from "../../../src/core/context/bpe.ts";
import { chars4, estimateContext, estimateMessage, scriptCounter } from "../../../src/core/context/tokens.ts";
import type { Message } from "../../../src/core/session/message.ts";
import { haveSessions, realSessions } from "../../real-sessions.ts";
import { ROOT } from "../../sources.ts";

const SAMPLES: Record<string, string> = {
  English: "First check that the configuration file exists, then run the database migration. Keep the old backup.",
  "simplified Chinese": "我们需要先检查配置文件是否存在，然后再运行数据库迁移脚本。如果测试失败，请不要删除旧的备份。",
  Japanese: "まず設定ファイルが存在するかどうかを確認してから、データベースの移行を実行してください。",
  Korean: "먼저 설정 파일이 존재하는지 확인한 다음 데이터베이스 마이그레이션 스크립트를 실행해야 합니다.",
  Russian: "Сначала нужно проверить, существует ли файл конфигурации, а затем запустить миграцию базы данных.",
  Arabic: "أولاً يجب التحقق من وجود ملف الإعدادات ثم تشغيل ترحيل قاعدة البيانات. لا تحذف النسخة الاحتياطية القديمة.",
  Thai: "ก่อนอื่นต้องตรวจสอบว่ามีไฟล์การตั้งค่าอยู่หรือไม่ แล้วจึงรันสคริปต์ย้ายฐานข้อมูล",
  emoji: "😀🎉🚀👍🏽👩‍💻✅❌⚠️🔥💡🐛📦🧪",
  JSON: '{"id":"a1b2c3d4","parentId":null,"usage":{"input":1234,"output":56,"cacheRead":78901}}',
  hexadecimal: "3f9a0c77be12d4a8c0ffee0123456789abcdef9e8d7c6b5a49382716050f1e2d3c4b5a6978",
};

const mixed = Object.values(SAMPLES).join("\n");

/** All text blocks of a session file, its bad lines passed over. */
function textsOf(jsonl: string): string {
  const texts: string[] = [];
  for (const line of jsonl.split("\n")) {
    try {
      JSON.parse(line, (key, value) => (key === "text" && typeof value === "string" ? texts.push(value) : value));
    } catch {}
  }
  return texts.join("\n");
}

describe("the script counter", () => {
  it.each(Object.entries(SAMPLES))("[T1] lies near o200k on %s", (_, text) => {
    const ratio = scriptCounter.count(text) / encode(text).length;
    expect(ratio).toBeGreaterThan(0.93);
    expect(ratio).toBeLessThan(1.35);
  });

  it("[T1] lies within 15 % of o200k on mixed text, and not below", () => {
    const ratio = scriptCounter.count(mixed) / encode(mixed).length;
    expect(ratio).toBeGreaterThanOrEqual(1);
    expect(ratio).toBeLessThan(1.15);
  });

  it("[T1] lies within 15 % of o200k on code", () => {
    const text = readFileSync(`${ROOT}src/core/context/project.ts`, "utf8");
    const ratio = scriptCounter.count(text) / encode(text).length;
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.15);
  });

  it.skipIf(!haveSessions)("[T1] lies within 15 % of o200k on real sessions", () => {
    for (const file of realSessions("pi")) {
      const text = textsOf(readFileSync(file, "utf8")).slice(0, 400_000);
      const ratio = scriptCounter.count(text) / encode(text, { allowedSpecial: "all" }).length;
      expect(ratio).toBeGreaterThan(0.95);
      expect(ratio).toBeLessThan(1.15);
    }
  });

  it("[T1] counts CJK by its own rate, where chars4 quarters it", () => {
    const han = "的".repeat(1000);
    expect(chars4.count(han)).toBe(250);
    expect(scriptCounter.count(han)).toBeGreaterThan(600);
    expect(scriptCounter.count("")).toBe(0);
  });
});

describe("an exact counter", () => {
  it("[T1] agrees with its tokenizer on prose", () => {
    const counter = bpeCounter("o200k", encode);
    expect(counter.count(mixed)).toBe(encode(mixed).length);
    expect(counter.name).toBe("o200k");
  });

  it("[T1] cuts unbroken runs, never inside a character", () => {
    const pieces: string[] = [];
    const counter = bpeCounter("spy", (text) => {
      pieces.push(text);
      return text;
    });
    const text = `${"a".repeat(2000)} ${" ".repeat(2000)}x${"😀".repeat(600)}`;
    expect(counter.count(text)).toBe(text.length);
    expect(pieces.join("")).toBe(text);
    for (const piece of pieces) {
      expect(Math.max(0, ...piece.split(/\s+/).map(({ length }) => length))).toBeLessThanOrEqual(513);
      expect(piece).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it("[T1] falls back to the estimate where the tokenizer throws", () => {
    const counter = bpeCounter("broken", () => {
      throw new Error("special token");
    });
    expect(counter.count("some text")).toBe(scriptCounter.count("some text"));
  });
});

describe("estimates of messages", () => {
  const words = { name: "words", count: (text: string) => text.split(/\s+/).filter(Boolean).length };
  const estimate = (message: unknown) => estimateMessage(message as Message, words);

  it("[T1] count what will be sent", () => {
    expect(estimate({ role: "user", content: "one two three" })).toBe(7);
    const image = { type: "image", data: "AA==", mimeType: "image/png" };
    expect(estimate({ role: "user", content: [{ type: "text", text: "see" }, image] })).toBe(1205);
    const call = { type: "toolCall", id: "c", name: "read", arguments: { path: "a" } };
    expect(estimate({ role: "assistant", content: [call] })).toBe(4 + 4 + 1 + 1);
    expect(estimate({ role: "branchSummary", summary: "two words", fromId: "x" })).toBeGreaterThan(10);
  });

  it("[T1] count thinking only when it can be sent again", () => {
    const thinking = (fields: object) => ({ role: "assistant", content: [{ type: "thinking", ...fields }] });
    expect(estimate(thinking({ thinking: "a b c" }))).toBe(4);
    expect(estimate(thinking({ thinking: "a b c", thinkingSignature: "sig" }))).toBe(7);
    expect(estimate(thinking({ thinking: "", redacted: true, thinkingSignature: "x".repeat(40) }))).toBe(14);
  });

  it("[T1] count excluded and unknown messages 0, and add up", () => {
    const excluded = { role: "bashExecution", command: "x", output: "y", excludeFromContext: true };
    expect(estimate(excluded)).toBe(0);
    expect(estimate({ role: "?" })).toBe(0);
    const hello = { role: "user", content: "hello" } as const;
    expect(estimateContext([hello, { entryId: "e", message: hello }], words)).toBe(10);
  });
});

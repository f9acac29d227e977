import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import type { IgnitionModuleBuilder } from "@nomicfoundation/ignition-core";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { besideArgs, besides, gameArgs } from "../../sdk/games/constructor-args.js";
import { games } from "../../sdk/games/index.js";
import { tokensWith } from "../../sdk/games/list.js";
import { modesToRegister } from "../../sdk/games/modes.js";

/** Ignition module of a deployment. */
export type DuelloModule = ReturnType<typeof duelloModule>;

/**
 * Builds the module that deploys the arena, the tokens, and every listed game with its stock modes and extra contracts.
 * By default the deployer owns the contracts and is the treasury. Nothing is minted.
 * @param kept Tokens of an earlier deployment that the new deployment keeps using; defaults to new ones.
 */
export function duelloModule(kept?: Addresses) {
  return buildModule("Duello", (m) => deployment(m, kept));
}

function deployment(m: IgnitionModuleBuilder, kept?: Addresses) {
  const deployer = m.getAccount(0);
  const owner = m.getParameter("owner", deployer);
  const treasury = m.getParameter("treasury", deployer);
  const Arena = m.contract("Arena", [owner, treasury]);
  const token = (name: string) => (kept === undefined ? m.contract(name, [owner]) : m.contractAt(name, kept[name]));
  type Tokens = Readonly<Record<"FightToken", ReturnType<typeof token>> & Record<string, ReturnType<typeof token>>>;
  const tokens = Object.fromEntries(tokensWith(games).map((name) => [name, token(name)])) as Tokens;
  const deployed = games.map((game) => {
    const contract = m.contract(game.contract, gameArgs(game, { Arena, ...tokens }));
    for (const { name, content } of modesToRegister(game)) {
      m.call(contract, "registerMode", [content], { id: `${game.contract}_${name.replaceAll("-", "_")}` });
    }
    return [game.contract, contract] as const;
  });
  const beside = games.flatMap((game, i) => {
    // Each depends only on its own game: a dependency on later games could not be added to an existing deployment.
    const [, after] = deployed[i];
    return besides(game).map((each) => {
      const contract = m.contract(each.contract, besideArgs(each, tokens), { after: [after] });
      return [each.contract, contract] as const;
    });
  });
  return { Arena, ...tokens, ...Object.fromEntries([...deployed, ...beside]) };
}

export default duelloModule();

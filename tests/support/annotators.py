"""Simulated annotators: their answers, and what their browsers send to the server."""

import uuid
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any
from xml.etree import ElementTree

import httpx

from pipeline.studies.model.answers import NONE, joined_codes
from pipeline.studies.model.design import Control
from pipeline.studies.model.judgements import Answer
from pipeline.studies.model.study import Study, Task
from tools.labelstudio import Account, Server

#: The answers to each item on the screen of a task.
ScreenAnswers = list[dict[str, Answer]]


def simulated_answers(study: Study, task: Task, wrong: float, random: Random) -> ScreenAnswers:
    """Return answers to each item of a task, with a share `wrong` of wrong candidates."""
    return [
        {
            control.name: _answer(control, task, number, wrong, random)
            for control in study.controls
            if control.required or random.random() < 0.3
        }
        for number in range(len(task.items))
    ]


def _answer(control: Control, task: Task, number: int, wrong: float, random: Random) -> Answer:
    if control.kind == "candidate":
        right = task.gold[number] or 0
        return 1 - right if random.random() < wrong else right
    if control.kind == "rating":
        return random.randint(control.low, control.high)
    if control.kind == "choice":
        return random.choice(control.choices)
    if control.kind == "choices":
        codes = random.sample([code for code in control.choices if code != NONE], random.randint(0, 3))
        return joined_codes(codes or [NONE], control.choices)
    if control.kind == "labelled":
        text = str(task.data["text"])
        place = random.randrange(len(text))
        return f"{text[:place]}<{random.choice('我你他')}>_S{text[place:]}"
    return f"【{task.key}】 <i>& 话"


def results(study: Study, task: Task, screen: ScreenAnswers) -> list[dict[str, Any]]:
    """Return what the page sends on Submit."""
    tags = {tag.get("name"): tag for tag in ElementTree.fromstring(study.config).iter() if tag.get("toName")}
    regions = []
    for number, answers in enumerate(screen):
        for control in study.controls:
            if control.name in answers:
                name = study.control_name(control, number)
                kind, value = _value(control, answers[control.name], task, number, tags[name])
                region = {"id": uuid.uuid4().hex[:10], "from_name": name, "to_name": tags[name].get("toName")}
                regions.append(region | {"type": kind, "origin": "manual", "value": value})
    return regions


def _value(
    control: Control, answer: Answer, task: Task, number: int, tag: ElementTree.Element
) -> tuple[str, Mapping[str, Any]]:
    if control.kind == "candidate":
        shown = task.data[str(tag.get("value")).removeprefix("$")]
        option = shown[task.options[number].index(int(answer))]
        return "choices", {"choices": [option.get("alias", option["value"])]}
    if control.kind in ("choice", "choices", "rating"):
        return "choices", {"choices": str(answer).split(" ")}
    return "textarea", {"text": [answer]}


class Annotator:
    """An account that works through the API that the page uses."""

    def __init__(self, server: Server, account: Account) -> None:
        self._client = httpx.Client(
            base_url=server.url,
            trust_env=False,
            timeout=60,
            headers={"Authorization": f"Token {account.token}"},
            limits=httpx.Limits(max_keepalive_connections=0),  # see `connected`
        )
        self.account = account

    def __enter__(self) -> "Annotator":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def project(self, title: str) -> int:
        """Return the number of a project."""
        projects = self._client.get("/api/projects", params={"title": title}).raise_for_status().json()["results"]
        (number,) = [row["id"] for row in projects if row["title"] == title]
        return int(number)

    def tasks(self, title: str) -> dict[str, int]:
        """Return the server's ids of the tasks of a project, by our keys."""
        return self.tasks_of(self.project(title))

    def tasks_of(self, project: int) -> dict[str, int]:
        """Return the server's ids of the tasks of a project, by our keys."""
        page = self._client.get("/api/tasks", params={"project": project, "page_size": 500}).raise_for_status().json()
        return {task["data"]["task"]: task["id"] for task in page["tasks"]}

    def submit(self, number: int, result: Sequence[Mapping[str, Any]], lead_time: float) -> None:
        """Submit an annotation; without any result the task is skipped."""
        body = {"result": list(result), "lead_time": lead_time, "unique_id": str(uuid.uuid4())}
        path = f"/api/tasks/{number}/annotations/"
        self._client.post(path, json=body | {"was_cancelled": not result}).raise_for_status()

    def submit_together(self, project: int, answered: Mapping[int, Sequence[Mapping[str, Any]]]) -> None:
        """Submit annotations of many tasks of a project, without times: as predictions, which the account then makes its own.

        That takes two requests; each of the page takes the server fifty milliseconds.
        """
        version = self.account.username
        rows = [{"task": number, "result": result, "model_version": version} for number, result in answered.items()]
        self._client.post(f"/api/projects/{project}/import/predictions", json=rows).raise_for_status()
        chosen = {"selectedItems": {"all": True, "excluded": []}, "model_version": version}
        action = f"/api/dm/actions?id=predictions_to_annotations&project={project}"
        self._client.post(action, json=chosen).raise_for_status()

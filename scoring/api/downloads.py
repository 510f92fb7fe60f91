"""Files of scores, with one row per output and metric."""

from typing import Any

from rest_framework.request import Request

from common.api.operations import operation
from corpus.selectors import release_or_404
from crowd.api.endpoint import CampaignEndpoint
from scoring.api.runs import RunQuery, run_or_404
from scoring.downloads import PARQUET_TYPE, TSV_TYPE, scores_response


class Parquet(CampaignEndpoint):
    @operation("getScoresParquet", query=RunQuery, files={200: PARQUET_TYPE}, problems=(503,))
    def get(self, request: Request, version: int) -> Any:
        """Download the scores of each output as Parquet."""
        return scores_response(run_or_404(release_or_404(self.campaign, version), self.asked.get("run")), "parquet")


class Tsv(CampaignEndpoint):
    @operation("getScoresTsv", query=RunQuery, files={200: TSV_TYPE}, problems=(503,))
    def get(self, request: Request, version: int) -> Any:
        """Download the scores of each output as tab-separated values."""
        return scores_response(run_or_404(release_or_404(self.campaign, version), self.asked.get("run")), "tsv")

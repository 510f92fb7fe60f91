"""The works that the documents for a paper cite, as BibTeX."""

TOUTANOVA, COHEN_1960, COHEN_1968, KRIPPENDORFF = "toutanova-2016", "cohen-1960", "cohen-1968", "krippendorff-2004"
CLUSTERS, JACKKNIFE, HEDS = "cameron-2011", "efron-1981", "belz-2024"
REFERENCES = {
    TOUTANOVA: """@inproceedings{toutanova-2016,
  author = {Toutanova, Kristina and Brockett, Chris and Tran, Ke M. and Amershi, Saleema},
  title = {A Dataset and Evaluation Metrics for Abstractive Compression of Sentences and Short Paragraphs},
  booktitle = {Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing},
  year = {2016},
  pages = {340--350}
}""",
    COHEN_1960: """@article{cohen-1960,
  author = {Cohen, Jacob},
  title = {A Coefficient of Agreement for Nominal Scales},
  journal = {Educational and Psychological Measurement},
  volume = {20},
  number = {1},
  pages = {37--46},
  year = {1960}
}""",
    COHEN_1968: """@article{cohen-1968,
  author = {Cohen, Jacob},
  title = {Weighted Kappa: Nominal Scale Agreement with Provision for Scaled Disagreement or Partial Credit},
  journal = {Psychological Bulletin},
  volume = {70},
  number = {4},
  pages = {213--220},
  year = {1968}
}""",
    KRIPPENDORFF: """@book{krippendorff-2004,
  author = {Krippendorff, Klaus},
  title = {Content Analysis: An Introduction to Its Methodology},
  edition = {2nd},
  publisher = {Sage},
  year = {2004}
}""",
    CLUSTERS: """@article{cameron-2011,
  author = {Cameron, A. Colin and Gelbach, Jonah B. and Miller, Douglas L.},
  title = {Robust Inference with Multiway Clustering},
  journal = {Journal of Business \\& Economic Statistics},
  volume = {29},
  number = {2},
  pages = {238--249},
  year = {2011}
}""",
    JACKKNIFE: """@article{efron-1981,
  author = {Efron, Bradley and Stein, Charles},
  title = {The Jackknife Estimate of Variance},
  journal = {The Annals of Statistics},
  volume = {9},
  number = {3},
  pages = {586--596},
  year = {1981}
}""",
    HEDS: """@misc{belz-2024,
  author = {Belz, Anya and Thomson, Craig},
  title = {{HEDS} 3.0: The Human Evaluation Data Sheet Version 3.0},
  year = {2024},
  note = {arXiv:2412.07940}
}""",
}
